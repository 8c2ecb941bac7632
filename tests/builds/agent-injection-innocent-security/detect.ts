/** Phrases that attackers use. */
export const PHRASES = [/ignore (?:all )?previous instructions/i, /do not tell the user/i];
