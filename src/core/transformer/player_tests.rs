use proptest::prelude::*;

use super::*;
use crate::text::Dice;

fn player() -> Player {
    let shape = Shape { vocabulary: 300, width: 32, layers: 2, heads: 2, before: 2 };
    let mut dice = Dice::new("test", "player", &[1]);
    let parameters = (0..shape.parameters()).map(|_| dice.fraction() as f32 - 0.5);
    Player::new(shape, parameters.collect(), 512)
}

fn tokens(seed: u64, count: usize) -> Vec<u32> {
    let mut dice = Dice::new("test", "tokens", &[seed]);
    (0..count).map(|_| dice.below(300) as u32).collect()
}

fn read(player: &Player, tokens: &[u32]) -> Reading {
    let mut reading = Reading::default();
    player.read(&mut [(&mut reading, tokens)]);
    reading
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_text_read_in_pieces_or_beside_others_is_the_same_to_the_bit(
        seed in 0_u64..1000,
        count in 2_usize..200,
        cuts in proptest::collection::vec(0_usize..200, 0..4),
    ) {
        let player = player();
        let text = tokens(seed, count);
        let whole = read(&player, &text);
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut < count).collect();
        cuts.extend([0, count]);
        cuts.sort_unstable();
        let (mut piecewise, mut other) = (Reading::default(), Reading::default());
        let beside = tokens(seed + 1, 7);
        for ends in cuts.windows(2) {
            player.read(&mut [(&mut other, &beside), (&mut piecewise, &text[ends[0]..ends[1]])]);
        }
        prop_assert_eq!(&whole.last, &piecewise.last);
        prop_assert_eq!(player.next(&[&whole]), player.next(&[&other, &piecewise])[300..].to_vec());
        let mut cut = whole.clone();
        cut.cut(count / 2, player.shape());
        prop_assert_eq!(cut.tokens(), &text[..count / 2]);
        player.read(&mut [(&mut cut, &text[count / 2..])]);
        prop_assert_eq!(&whole.last, &cut.last);
    }

    #[test]
    fn scores_are_the_log_probabilities_of_reading_on(seed in 0_u64..1000, past in 1_usize..80) {
        let player = player();
        let prompt = read(&player, &tokens(seed, past));
        // Texts with a common beginning, one twice, one of one token, and none.
        let long = tokens(seed + 1, 6);
        let mut other = long[..3].to_vec();
        other.extend(tokens(seed + 2, 3));
        let texts = [long.clone(), other, long.clone(), tokens(seed + 3, 1), Vec::new()];
        let scored = player.score(&[(&prompt, &texts)]).remove(0);
        let beside = read(&player, &tokens(seed + 4, 9));
        let again = player.score(&[(&beside, &texts[..2]), (&prompt, &texts)]).remove(1);
        prop_assert_eq!(&scored, &again);
        prop_assert_eq!(scored[0], scored[2]);
        prop_assert_eq!(scored[4], 0.0);
        for (text, score) in texts.iter().zip(&scored) {
            let (mut reading, mut sum) = (prompt.clone(), 0.0);
            for token in text {
                let mut odds = player.next(&[&reading]);
                softmax(&mut odds);
                sum += f64::from(odds[*token as usize]).ln();
                player.read(&mut [(&mut reading, &[*token])]);
            }
            prop_assert!((sum - score).abs() < 1e-3, "{sum} {score}");
        }
    }
}

#[test]
fn exponentials_are_those_of_the_standard_library() {
    for step in -8800..=8800 {
        let x = step as f32 / 100.0;
        if x.abs() < 87.0 {
            let (found, other) = (super::super::matrix::exp(x), x.exp());
            assert!((found / other - 1.0).abs() < 1e-5, "{x}: {found} {other}");
        }
    }
}
