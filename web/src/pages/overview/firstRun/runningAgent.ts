import type { NewAgentKeyPair } from '../../../parts/code/createAgentKey.ts'

/** An agent that runs, with what only the page that registered it knows. */
export type RunningAgent = {
  svcId: string
  /** Null if it was registered elsewhere, or before the page was loaded. */
  key: NewAgentKeyPair | null
  /** A purpose within its boundary. */
  purpose: string
}
