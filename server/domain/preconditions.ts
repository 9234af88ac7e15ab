/**
 * Throws if the stored version is not the one that the caller has seen. Call it while the row is locked.
 */
export type Precondition<Stored> = (stored: Stored) => void;
