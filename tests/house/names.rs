//! Names that the code left behind for the field's words: no module, type, function or parameter may have
//! one of them again. And no function's parameter is a pattern of a tuple, which only hides how many it has.

use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};

use super::layering::rust_files;

/// The names in small letters; `OldName` counts as `old_name`.
const LEFT: &str = "again beat chair complaint course deed doing effective entrusted errand go halving heard heed \
                    life likeness manner note past patient pauses place plain post redrive rehearse retrace scribe \
                    sight signs stage things told venue versus";

/// A name in small letters, its words joined by `_`.
fn snake(name: &str) -> String {
    let mut small = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !small.is_empty() {
            small.push('_');
        }
        small.extend(letter.to_lowercase());
    }
    small
}

/// Collects the names of a file that are not to be there.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn check(&mut self, kind: &str, name: &syn::Ident) {
        let small = snake(&name.to_string());
        if LEFT.split_whitespace().any(|left| left == small) {
            self.0.push(format!("{kind} `{name}`"));
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        self.check("module", &item.ident);
        visit::visit_item_mod(self, item);
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.check("type", &item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        self.check("type", &item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        self.check("type", &item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'a syn::ItemType) {
        self.check("type", &item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_signature(&mut self, function: &'a syn::Signature) {
        self.check("function", &function.ident);
        for input in &function.inputs {
            let syn::FnArg::Typed(parameter) = input else {
                continue;
            };
            match &*parameter.pat {
                syn::Pat::Ident(pattern) => self.check("parameter", &pattern.ident),
                syn::Pat::Tuple(_) => {
                    self.0.push(format!("parameters of `{}` in a tuple", function.ident));
                }
                _ => {}
            }
        }
        visit::visit_signature(self, function);
    }
}

fn wrong_names(code: &str) -> Vec<String> {
    let mut names = Names::default();
    names.visit_file(&syn::parse_file(code).unwrap());
    names.0
}

#[test]
fn the_code_uses_the_words_of_the_field() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = rust_files(&source);
    assert!(files.len() > 100);
    let mut wrong = Vec::new();
    for path in files {
        // A city has venues, which are places.
        let own = match path.starts_with(source.join("environments/booking")) {
            true => &["function `venue`", "function `place`", "parameter `place`"][..],
            false => &[],
        };
        let names = wrong_names(&fs::read_to_string(&path).unwrap()).into_iter();
        for name in names.filter(|name| !own.contains(&name.as_str())) {
            wrong.push(format!("{}: {name}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "left behind:\n{}", wrong.join("\n"));
}

#[test]
fn names_that_were_left_behind_are_found() {
    let code = "mod patient { struct Deed; type Go = u8; } fn again(told: u8, (a, b): (u8, u8), kept: u8) {}";
    let found = [
        "module `patient`",
        "type `Deed`",
        "type `Go`",
        "function `again`",
        "parameter `told`",
        "parameters of `again` in a tuple",
    ];
    assert_eq!(wrong_names(code), found);
    assert!(wrong_names("fn retry(parameters: u8) {} struct Placement;").is_empty());
}
