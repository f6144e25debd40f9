//! What the targets use of the crate `libfuzzer-sys`.

/// Makes a function `play_bytes` of a target: it makes an input of bytes as libFuzzer does, plays it, and
/// says whether they made one.
macro_rules! fuzz_target {
    (|$input:ident: $kind:ty| $body:expr) => {
        pub(crate) fn play_bytes(bytes: &[u8]) -> bool {
            use arbitrary::{Arbitrary, Unstructured};
            fn run($input: $kind) {
                $body
            }
            if bytes.len() < <$kind>::size_hint(0).0 {
                return false;
            }
            let input = <$kind>::arbitrary_take_rest(Unstructured::new(bytes));
            input.map(run).is_ok()
        }
    };
}

pub(crate) use fuzz_target;
