/** The parts that are measured in a process of their own. */
export const PROCESS_PARTS = ['growth', 'local', 'gas', 'sealing', 'proofs', 'profile'] as const

/** What such a process is asked for. */
export type PartJob = { part: (typeof PROCESS_PARTS)[number] } & PartOptions

export type PartOptions = { isQuick: boolean; isFull: boolean }
