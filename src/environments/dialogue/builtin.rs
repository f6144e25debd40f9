//! Samples of our own writing, so that everything runs without data: conversations about landmarks that do
//! not exist, tutoring in Italian and Spanish, and everyday worries in Chinese.
