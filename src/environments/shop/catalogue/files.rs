//! The files of a catalogue.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::environments::shop::ShopError;
use crate::files;

/// What a folder has to hold.
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
    /// Those of a folder, or those beside a file of products.
    ///
    /// # Errors
    /// When products or attributes are missing, or a folder holds products of both sizes.
    pub fn find(path: &Path) -> Result<Self, ShopError> {
        let wrong = |problem: String| ShopError::Data {
            path: path.display().to_string(),
            problem: format!("{problem}; {REMEDY}"),
        };
        let folder = match path.is_dir() {
            true => path,
            false => path.parent().unwrap_or(Path::new("")),
        };
        let products = |size: &str| folder.join(format!("items_shuffle{size}.json"));
        let products = if path.is_dir() {
            let found = SIZES
                .map(products)
                .into_iter()
                .filter(|file| file.is_file());
            match &found.collect::<Vec<_>>()[..] {
                [products] => products.clone(),
                [] => return Err(wrong("it holds no products".to_owned())),
                _ => {
                    return Err(wrong(
                        "it holds all products and a thousand; name the file".to_owned(),
                    ));
                }
            }
        } else if path.is_file() {
            path.to_owned()
        } else {
            return Err(wrong("it is not there".to_owned()));
        };
        // Attributes of as many products are looked for first.
        let name = products.file_stem().unwrap_or_default().to_string_lossy();
        let mut sizes = SIZES;
        sizes.sort_by_key(|size| name.ends_with("_1000") != (*size == "_1000"));
        let attributes = sizes.map(|size| folder.join(format!("items_ins_v2{size}.json")));
        let Some(attributes) = attributes.into_iter().find(|file| file.is_file()) else {
            return Err(wrong(
                "there are no attributes beside its products".to_owned(),
            ));
        };
        Ok(Self {
            products,
            attributes,
            instructions: folder.join("items_human_ins.json"),
            chatshop: folder.join("chatshop_goals.json"),
        })
    }

    fn all(&self) -> [&Path; 4] {
        [
            &self.products,
            &self.attributes,
            &self.instructions,
            &self.chatshop,
        ]
    }

    /// Tells the files from others, and from what they were before a change.
    pub fn stamp(&self) -> String {
        self.all().map(files::stamp).join(" ")
    }

    /// Tells the files of products and attributes from what they were before a change.
    pub fn catalogue_stamp(&self) -> String {
        [&self.products, &self.attributes]
            .map(|file| files::stamp(file))
            .join(" ")
    }

    /// Hash of what the products are made of: of the files of products and attributes.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn catalogue_digest(&self) -> Result<String, ShopError> {
        digest(&[&self.products, &self.attributes])
    }

    /// Hash of what goals are made of besides: of the files of instructions, as far as they are there.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn goals_digest(&self) -> Result<String, ShopError> {
        let there = [&*self.instructions, &*self.chatshop].into_iter();
        digest(&there.filter(|file| file.is_file()).collect::<Vec<_>>())
    }
}

/// Hash of files, whatever their names are.
fn digest(paths: &[&Path]) -> Result<String, ShopError> {
    let mut hasher = blake3::Hasher::new();
    let mut chunk = vec![0; 1 << 20];
    for path in paths {
        let unreadable = |source| ShopError::Io {
            path: path.display().to_string(),
            source,
        };
        let mut file = files::open(path).map_err(unreadable)?;
        let mut length = 0_u64;
        loop {
            let read = file.read(&mut chunk).map_err(unreadable)?;
            if read == 0 {
                break;
            }
            length += read as u64;
            hasher.update(chunk.get(..read).unwrap_or_default());
        }
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
        let write =
            |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
        let find = |path: &Path| Files::find(path).map_err(|error| error.to_string());
        let missing = find(&folder.path().join("none")).unwrap_err();
        assert!(
            missing.contains("it is not there; a catalogue is a folder with"),
            "{missing}"
        );
        assert!(
            find(folder.path())
                .unwrap_err()
                .contains("it holds no products")
        );
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
