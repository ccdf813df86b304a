import type { Narrator } from './createNarrator.ts'

/** Where the demo plays: the service, its chain, and who tells the story. */
export type Stage = { baseUrl: string; rpcUrl: string; narrator: Narrator }

/** An organisation with an endpoint, as the demo set it up. */
export type Shop = { apiKey: string; svceId: string }
