/**
 * Throws where what is stored is not what whoever wants to change it has seen. Called while nobody else can change it.
 */
export type Precondition<Stored> = (stored: Stored) => void;
