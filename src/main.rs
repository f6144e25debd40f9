//! The `rolecall` program: arguments in, exit code out.

/// Episodes live on one thread each and the log's lines on another: the allocator must be quick for what one thread
/// takes and another gives back. Without huge pages, which would take twice the memory.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    rolecall::main(rolecall::worlds())
}
