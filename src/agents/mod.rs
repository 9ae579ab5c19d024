//! Level 3, pure: readers of what coding agents print: lines to steps, totals and a state.
