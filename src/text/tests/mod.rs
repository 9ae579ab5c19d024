mod clean;
mod figures;
mod fitting;
