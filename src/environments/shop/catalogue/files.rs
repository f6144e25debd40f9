//! The files of a catalogue.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use crate::ShopError;
use rolecall_core::files;

/// Remedy for a folder without the right files.
const REMEDY: &str = "a catalogue is a folder with `items_shuffle.json`, `items_ins_v2.json` and \
                      `items_human_ins.json`, or with `items_shuffle_1000.json` and `items_ins_v2_1000.json` in \
                      place of the first two (the official files of WebShop); or the path of such products \
                      beside the other files";

/// The ends of the names of official files: all products, and a thousand.
const SIZES: [&str; 2] = ["", "_1000"];

/// The files of a catalogue. Whether those of instructions are there is seen when they are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The products: `items_shuffle.json` or `items_shuffle_1000.json`.
    pub products: PathBuf,
    /// Their attributes, and instructions made by rules: `items_ins_v2.json` or `items_ins_v2_1000.json`.
    pub attributes: PathBuf,
    /// Instructions by people: `items_human_ins.json`.
    pub instructions: PathBuf,
    /// ChatShop's goals: `chatshop_goals.json`.
    pub chatshop: PathBuf,
}

impl Files {
    /// Finds the files of a folder, or those beside a file of products.
    ///
    /// # Errors
    /// When products or attributes are missing or cannot be read, or a folder holds products of both sizes.
    pub fn find(path: &Path) -> Result<Self, ShopError> {
        let wrong = |problem| ShopError::data(path, format!("{problem}; {REMEDY}"));
        if !is_there(path)? {
            return Err(wrong("it is not there"));
        }
        let is_folder = path.is_dir();
        let folder = if is_folder { path } else { path.parent().unwrap_or(Path::new("")) };
        let found = |name: &str| {
            let paths = SIZES.map(|size| folder.join(format!("{name}{size}.json")));
            let there = |path: PathBuf| Ok(is_there(&path)?.then_some(path));
            paths.map(there).into_iter().filter_map(Result::transpose).collect::<Result<Vec<PathBuf>, ShopError>>()
        };
        let products = match &found("items_shuffle")?[..] {
            _ if !is_folder => path.to_owned(),
            [products] => products.clone(),
            [] => return Err(wrong("it holds no products")),
            _ => return Err(wrong("it holds all products and a thousand; name the file")),
        };
        // Attributes of as many products are taken first.
        let mut attributes = found("items_ins_v2")?;
        let stem = products.file_stem().unwrap_or_default();
        if !stem.to_string_lossy().ends_with("_1000") {
            attributes.reverse();
        }
        let attributes = attributes.pop();
        Ok(Self {
            attributes: attributes.ok_or_else(|| wrong("there are no attributes beside its products"))?,
            products,
            instructions: folder.join("items_human_ins.json"),
            chatshop: folder.join("chatshop_goals.json"),
        })
    }

    /// Tells the files from others, and from what they were before a change.
    pub fn stamp(&self) -> String {
        let goals = [&self.instructions, &self.chatshop].map(|file| files::stamp(file));
        format!("{} {}", self.catalogue_stamp(), goals.join(" "))
    }

    /// Tells the files of products and attributes from what they were before a change.
    pub fn catalogue_stamp(&self) -> String {
        let files = [&self.products, &self.attributes].map(|file| files::stamp(file));
        files.join(" ")
    }

    /// Hash of what the products are made of: of the files of products and attributes.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn catalogue_digest(&self) -> Result<String, ShopError> {
        digest([&self.products, &self.attributes])
    }

    /// Hash of what goals are made of besides: of the files of instructions, as far as they are there.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn goals_digest(&self) -> Result<String, ShopError> {
        digest([&self.instructions, &self.chatshop])
    }
}

/// Whether there is a file or folder.
pub(crate) fn is_there(path: &Path) -> Result<bool, ShopError> {
    let found = files::if_there(fs::metadata(path));
    Ok(found.map_err(ShopError::io(path))?.is_some())
}

/// The name of a file.
pub(crate) fn name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// Hash of those files that are there, whatever their names are.
fn digest(paths: [&PathBuf; 2]) -> Result<String, ShopError> {
    let mut hasher = blake3::Hasher::new();
    for path in paths {
        let unreadable = ShopError::io(path);
        let Some(file) = files::if_there(files::open(path)).map_err(&unreadable)? else {
            continue;
        };
        let before = hasher.count();
        hasher.update_reader(file).map_err(&unreadable)?;
        let length = hasher.count() - before;
        hasher.update(&length.to_le_bytes());
    }
    Ok(hasher.finalize().to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_or_a_file_of_products_is_a_catalogue() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
        let find = |path: &Path| Files::find(path).map_err(|error| error.to_string());
        let missing = find(&folder.path().join("none")).unwrap_err();
        assert!(missing.contains("it is not there; a catalogue is a folder with"), "{missing}");
        assert!(find(folder.path()).unwrap_err().contains("it holds no products"));
        write("items_shuffle_1000.json", "[]");
        assert!(find(folder.path()).unwrap_err().contains("no attributes"));
        write("items_ins_v2.json", "{}");
        write("items_ins_v2_1000.json", "{}");
        let found = find(folder.path()).unwrap();
        assert!(found.products.ends_with("items_shuffle_1000.json"));
        assert!(found.attributes.ends_with("items_ins_v2_1000.json"));
        assert_eq!(find(&found.products).unwrap(), found);
        let (stamp, digest) = (found.stamp(), found.catalogue_digest().unwrap());
        let goals = found.goals_digest().unwrap();
        write("items_ins_v2_1000.json", "{ }");
        write("items_human_ins.json", "{}");
        assert_ne!(found.stamp(), stamp);
        assert_ne!(found.catalogue_digest().unwrap(), digest);
        assert_ne!(found.goals_digest().unwrap(), goals);
        write("items_shuffle.json", "[]");
        assert!(find(folder.path()).unwrap_err().contains("name the file"));
        let all = find(&folder.path().join("items_shuffle.json")).unwrap();
        assert!(all.attributes.ends_with("items_ins_v2.json"));
    }
}
