//! The `rolecall` program: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    rolecall::cli::main()
}
