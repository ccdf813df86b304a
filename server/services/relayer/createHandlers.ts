import type { ChainClient } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { AnchorStore } from '../../store/audit/anchorStore.ts'
import type { LogStore } from '../../store/audit/logStore.ts'
import type { InterventionStore } from '../../store/operator/interventionStore.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { anchorBatch } from './handlers/anchorBatch.ts'
import { fillNonce } from './handlers/fillNonce.ts'
import { giveFeedback } from './handlers/giveFeedback.ts'
import { handOverIdentity } from './handlers/handOverIdentity.ts'
import { handOverLog } from './handlers/handOverLog.ts'
import { mintIdentity } from './handlers/mintIdentity.ts'
import { openLog } from './handlers/openLog.ts'
import { registerPlaceholder } from './handlers/registerPlaceholder.ts'
import { setTokenUri } from './handlers/setTokenUri.ts'
import { transferIdentity } from './handlers/transferIdentity.ts'
import type { RelayerDeps } from './relayerDeps.ts'

export type CreateHandlersDeps = {
  chain: ChainClient
  outbox: OutboxStore
  agents: AgentStore
  interventions: Pick<InterventionStore, 'find'>
  /** Opens the batches of a log. */
  anchorsOf: (log: number) => AnchorStore
  logs: Pick<LogStore, 'idOf'>
  /** Gives a log that was never opened another id, and orders its opening. */
  replaceLogId: (former: Hex) => Promise<void>
  /** Called when the identity of an agent is final; may be called more than once. */
  onIdentityConfirmed: (svcId: string) => Promise<void>
  /** Called when the token of an agent has changed; may be called more than once. */
  onTokenChanged: (svcId: string) => Promise<void>
}

/** Creates the handlers of all kinds of intents. */
export function createHandlers(deps: CreateHandlersDeps): RelayerDeps['handlers'] {
  return {
    'identity.mint': mintIdentity(deps),
    'identity.transfer': transferIdentity(deps),
    'identity.handOver': handOverIdentity(deps),
    'identity.setUri': setTokenUri(deps),
    'identity.placeholder': registerPlaceholder(deps),
    'reputation.feedback': giveFeedback(deps),
    'audit.open': openLog(deps),
    'audit.anchor': anchorBatch(deps),
    'audit.offer': handOverLog(deps, 'audit.offer'),
    'audit.accept': handOverLog(deps, 'audit.accept'),
    'nonce.fill': fillNonce(),
  }
}
