import type { Narrator } from './createNarrator.ts'
import type { DemoAccount } from './openAccount.ts'

/** What every step of the demo needs: the service, its chain and the output. */
export type DemoContext = { baseUrl: string; rpcUrl: string; narrator: Narrator }

/** The organisation with an endpoint that the demo has set up. */
export type Shop = { apiKey: string; svceId: string; url: string; account: DemoAccount }
