/** Where a finished game is looked at again. */
export const reviewLink = (table: string, game: number): string => `/review/${table}/${game}`;
