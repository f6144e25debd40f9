use super::*;
use crate::goal::read_chatshop;
use crate::store::{Goals, Store, StoreOptions};

#[test]
fn what_is_written_is_read_as_the_same_catalogue() {
    let folder = tempfile::tempdir().unwrap();
    let written = write_all(folder.path(), 300, 9, &()).unwrap();
    let (products, goals) = generate::catalogue(300, 9);
    assert_eq!(written, goals.len());
    assert_eq!(read_chatshop(&folder.path().join(CHATSHOP)).unwrap(), goals);
    let store = Store::load(folder.path(), &StoreOptions::default(), &()).unwrap();
    assert!(store.faults.is_empty(), "{}", store.faults);
    assert_eq!(store.catalogue.len(), 300);
    for (id, product) in (0..).zip(products) {
        let mut read = (*store.catalogue.product(id).unwrap()).clone();
        // Prices within a range are drawn anew wherever a catalogue is read.
        if product.pricing.len() > 1 {
            assert!((product.pricing[0]..=product.pricing[1]).contains(&read.price));
            read.price = product.price;
        }
        assert_eq!(read, product);
    }
    // The goals made of the instructions are the same but for their bounds.
    assert_eq!(store.goals.len(), goals.len());
    for (read, goal) in store.goals.iter().zip(&goals) {
        assert_eq!((&read.asin, &read.attributes, &read.options), (&goal.asin, &goal.attributes, &goal.options));
        assert_eq!(read.wish(), goal.wish());
    }
    let synthetic = StoreOptions { goals: Goals::WebShop(goal::Instructions::Synthetic), ..StoreOptions::default() };
    let synthetic = Store::load(folder.path(), &synthetic, &()).unwrap();
    assert!(synthetic.goals.len() > 1_000 && synthetic.faults.is_empty());
}

#[test]
fn every_official_key_is_there_in_its_order() {
    let product = generate::products(1, 1).next().unwrap().product;
    let item = item(&product, 0).to_string();
    let official = "name product_information brand brand_url full_description pricing list_price \
                    availability_quantity availability_status images product_category average_rating \
                    small_description total_reviews total_answered_questions customization_options seller_id \
                    seller_name fulfilled_by_amazon fast_track_message aplus_present asin category query page \
                    small_description_old";
    let parsed: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&item).unwrap();
    let keys: Vec<&str> = parsed.keys().map(String::as_str).collect();
    assert_eq!(keys, official.split_whitespace().collect::<Vec<_>>());
}
