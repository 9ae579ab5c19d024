//! Columns of a table: which are shown, and how wide.

/// What a column asks for. Widths are in cells, without the gap between columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub title: &'static str,
    /// Below this it is better left out.
    pub min: u16,
    /// Enough for usual contents.
    pub wish: u16,
    /// Share of what is left when all wishes are met; 0 = none.
    pub weight: u16,
    pub align: Align,
    /// The lowest goes first when there is no room; the highest stays, cut if it must be. 0: it is shown only when
    /// all others have what they wish for.
    pub keep: u8,
    pub sort: Option<Order>,
}

impl Column {
    /// For words, in a table that nobody sorts.
    pub const fn of_words(title: &'static str, min: u16, wish: u16, keep: u8) -> Self {
        Self {
            title,
            min,
            wish,
            weight: 0,
            align: Align::Left,
            keep,
            sort: None,
        }
    }

    /// For figures, which stand at the right.
    pub const fn of_figures(title: &'static str, min: u16, wish: u16, keep: u8) -> Self {
        Self {
            align: Align::Right,
            ..Self::of_words(title, min, wish, keep)
        }
    }

    /// Takes such a share of what is left.
    pub const fn sharing(self, weight: u16) -> Self {
        Self { weight, ..self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Ascending,
    Descending,
}

pub(super) const GAP: u16 = 1;

/// The width of each column, 0 for one that is left out. With the gaps they never exceed `available`.
pub fn widths(columns: &[Column], available: u16) -> Vec<u16> {
    let mut shown: Vec<usize> = (0..columns.len()).collect();
    while shown.len() > 1 {
        // Among equals the rightmost goes.
        let least = shown
            .iter()
            .enumerate()
            .rev()
            .min_by_key(|(_, column)| columns[**column].keep);
        let Some((at, least)) = least else { break };
        let is_spare = columns[*least].keep == 0;
        let asked = |column: &Column| match is_spare && column.keep > 0 {
            true => column.wish.max(column.min),
            false => column.min,
        };
        if need(columns, &shown, asked) <= u32::from(available) {
            break;
        }
        shown.remove(at);
    }
    let mut widths = vec![0; columns.len()];
    for column in &shown {
        widths[*column] = columns[*column].min.min(available);
    }
    let used = need(columns, &shown, |column| column.min).min(u32::from(available));
    let mut left = available - u16::try_from(used).unwrap_or(available);
    // First the wishes, the most important column first; then what is left, by weight.
    let mut by_keep = shown.clone();
    by_keep.sort_by_key(|column| std::cmp::Reverse(columns[*column].keep));
    for column in by_keep {
        let more = columns[column]
            .wish
            .saturating_sub(widths[column])
            .min(left);
        widths[column] += more;
        left -= more;
    }
    share_out(columns, &shown, &mut widths, left);
    widths
}

fn need(columns: &[Column], shown: &[usize], of: impl Fn(&Column) -> u16) -> u32 {
    let gaps = u32::from(GAP) * u32::try_from(shown.len().saturating_sub(1)).unwrap_or(u32::MAX);
    shown
        .iter()
        .map(|column| u32::from(of(&columns[*column])))
        .sum::<u32>()
        .saturating_add(gaps)
}

fn share_out(columns: &[Column], shown: &[usize], widths: &mut [u16], mut left: u16) {
    let mut weights: u32 = shown
        .iter()
        .map(|column| u32::from(columns[*column].weight))
        .sum();
    for column in shown {
        let weight = u32::from(columns[*column].weight);
        if weight == 0 {
            continue;
        }
        let part = u16::try_from(u32::from(left) * weight / weights).unwrap_or(left);
        widths[*column] += part;
        left -= part;
        weights -= weight;
    }
}
