//! The `rolecall` program: arguments in, exit code out.

/// Episodes live on one thread each and the log's lines on another: the allocator must be quick for many small
/// things and for what one thread takes and another gives back (`docs/benchmarks.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    rolecall::cli::main()
}
