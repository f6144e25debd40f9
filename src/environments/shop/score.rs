//! The reward of a purchase and its parts (WebShop).

/// The reward of a purchase: `type * (attributes + options + price) / (number of attributes + options + 1)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reward {
    /// The whole, from 0 to 1.
    pub total: f64,
    /// Factor for the kind of product: 1, 0.5, 0.1 or 0.
    pub r_type: f64,
    /// Share of the wanted attributes that it has.
    pub r_att: f64,
    /// Weight of the attributes.
    pub w_att: f64,
    /// Share of the wanted options that were chosen; none where no option is wanted.
    pub r_option: Option<f64>,
    /// Weight of the options; none where no option is wanted.
    pub w_option: Option<f64>,
    /// It costs no more than it may.
    pub r_price: bool,
    /// Weight of the price.
    pub w_price: f64,
    /// Both were found by the same query when the catalogue was made.
    pub query_match: bool,
    /// Their categories have two parts in common.
    pub category_match: bool,
    /// Share of the nouns of the goal's title that its title has.
    pub title_score: f64,
    /// Wanted attributes that it has.
    pub attributes_matched: usize,
    /// Wanted options that were chosen.
    pub options_matched: usize,
}
