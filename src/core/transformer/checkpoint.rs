//! A model in a folder: `model.safetensors` with its shape and weights as half-precision numbers, `tokenizer.json` with
//! its tokens, and a card for readers.

use std::collections::HashMap;
use std::path::Path;

use half::f16;
use half::slice::{HalfBitsSliceExt, HalfFloatSliceExt};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};

use super::player::Player;
use super::shape::Shape;
use super::tokens::Vocabulary;
use crate::files;

/// The file of the weights.
pub const WEIGHTS: &str = "model.safetensors";
/// The file of the tokens.
pub const TOKENIZER: &str = "tokenizer.json";
/// The most bytes that are read of a file.
const LARGEST: u64 = 1 << 30;
/// The key of the shape among the metadata of the weights.
const SHAPE: &str = "shape";
/// Tokens of prompt and answer together, unless the file says something else.
const POSITIONS: usize = 4096;

/// Problem of a checkpoint, with the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{file}`: {problem}")]
pub struct CheckpointError {
    file: String,
    problem: String,
}

/// A model that was read from its folder.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The model.
    pub player: Player,
    /// Its tokens.
    pub vocabulary: Vocabulary,
    /// A hash of both files, in hexadecimal.
    pub digest: String,
}

impl Checkpoint {
    /// Reads a folder.
    ///
    /// # Errors
    /// When a file cannot be read, or is no such file.
    pub fn read(folder: &Path) -> Result<Self, CheckpointError> {
        let read = |name: &str| {
            let path = folder.join(name);
            let wrong = |problem: String| CheckpointError { file: path.display().to_string(), problem };
            match files::read(&path, LARGEST) {
                Ok(bytes) => Ok((bytes, wrong(String::new()))),
                Err(error) => Err(wrong(error.to_string())),
            }
        };
        let (weights, of_weights) = read(WEIGHTS)?;
        let (tokens, of_tokens) = read(TOKENIZER)?;
        let wrong = |error: &CheckpointError, problem: String| CheckpointError { problem, ..error.clone() };
        let vocabulary: Vocabulary = serde_json::from_slice(&tokens)
            .map_err(|error| wrong(&of_tokens, format!("is no file of tokens: {error}")))?;
        let (shape, parameters) = decode(&weights).map_err(|problem| wrong(&of_weights, problem))?;
        if shape.vocabulary != vocabulary.len() {
            let (known, there) = (shape.vocabulary, vocabulary.len());
            let problem = format!("has {there} tokens, and the model beside it knows {known}");
            return Err(wrong(&of_tokens, problem));
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(weights.len() as u64).to_le_bytes());
        hasher.update(&weights).update(&tokens);
        Ok(Self {
            player: Player::new(shape, parameters, POSITIONS),
            vocabulary,
            digest: hasher.finalize().to_hex()[..32].to_owned(),
        })
    }
}

/// The two files of a model, by name.
///
/// # Errors
/// When the numbers cannot be written as such a file.
pub fn encode(
    shape: Shape,
    parameters: &[f32],
    vocabulary: &Vocabulary,
) -> Result<[(&'static str, Vec<u8>); 2], String> {
    let halves: Vec<f16> = parameters.iter().map(|x| f16::from_f32(*x)).collect();
    let bytes: Vec<u8> = halves.reinterpret_cast().iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let views: Vec<_> = shape
        .tensors()
        .map(|tensor| {
            let place = shape.range(tensor);
            let (rows, columns) = shape.size(tensor);
            let part = &bytes[2 * place.start..2 * place.end];
            TensorView::new(Dtype::F16, vec![rows, columns], part).map(|view| (Shape::name(tensor), view))
        })
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    let written = serde_json::to_string(&shape).map_err(|error| error.to_string())?;
    let metadata = HashMap::from([(SHAPE.to_owned(), written)]);
    let weights = serialize(views, Some(metadata)).map_err(|error| error.to_string())?;
    let mut tokens = serde_json::to_vec_pretty(vocabulary).map_err(|error| error.to_string())?;
    tokens.push(b'\n');
    Ok([(WEIGHTS, weights), (TOKENIZER, tokens)])
}

/// The shape and the parameters of a file of weights.
fn decode(bytes: &[u8]) -> Result<(Shape, Vec<f32>), String> {
    let no = |error: safetensors::SafeTensorError| format!("is no file of safetensors: {error}");
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(no)?;
    let written = metadata
        .metadata()
        .as_ref()
        .and_then(|all| all.get(SHAPE))
        .ok_or_else(|| "its metadata have no `shape`: it holds no model that `rolecall train` made".to_owned())?;
    let shape: Shape = serde_json::from_str(written).map_err(|error| format!("`shape`: {error}"))?;
    shape.check()?;
    let file = SafeTensors::deserialize(bytes).map_err(no)?;
    let mut parameters = Vec::new();
    for tensor in shape.tensors() {
        let name = Shape::name(tensor);
        let view = file.tensor(&name).map_err(|_| format!("there is no tensor `{name}`"))?;
        let (rows, columns) = shape.size(tensor);
        if view.shape() != [rows, columns] {
            return Err(format!("`{name}` is {:?}, and by the shape it is {rows} by {columns}", view.shape()));
        }
        let data = view.data();
        match view.dtype() {
            Dtype::F16 => {
                let bits: Vec<u16> = data.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
                let halves: &[f16] = bits.reinterpret_cast();
                parameters.extend(halves.to_f32_vec());
            }
            Dtype::F32 => parameters
                .extend(data.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))),
            other => {
                return Err(format!("`{name}` holds numbers of type {other:?}; F16 and F32 are read"));
            }
        }
    }
    if parameters.iter().all(|x| x.is_finite()) {
        return Ok((shape, parameters));
    }
    Err("holds numbers that are not finite".to_owned())
}
