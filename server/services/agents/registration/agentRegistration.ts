import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import type { Block, Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import type { AgentKey } from '@svc/core/signing/computeKeyThumbprint.ts'
import { validationError } from '../../../errors.ts'
import type { AgentFramework, AgentModel } from '../../../store/agents/agentStore.ts'
import { findPublicHostFault } from '../../findPublicHostFault.ts'

/** The owner's EIP-712 consent to a registration on chain. */
export type OnChainConsent = {
  /** Unix seconds, as a decimal string. */
  deadline: string
  signature: `0x${string}`
}

/** The fields of a registration after parsing. Source: `Spec: Agent`, registration fields. */
export type AgentRegistration = {
  name: string
  description: string | null
  agentType: string | null
  apiEndpoint: string | null
  image: string | null
  model: AgentModel | null
  framework: AgentFramework | null
  protocols: Protocol[]
  declarations: Partial<Record<Block, Record<string, unknown>>>
  pdlss: Pdlss
  /** What the owner wants to be asked; the default rules if absent. */
  approvalRules?: ApprovalRule[] | undefined
  onChain: OnChainConsent | null
  /** `SVC-` identifier of the agent whose sub-agent this becomes. */
  parentAgentId?: string | null | undefined
  /** The public keys that the agent signs with, each once. */
  keys?: AgentKey[] | undefined
}

/** Returns the dimensions of a boundary that have at least one rule. */
export function listDeclaredDimensions(pdlss: Pdlss): string[] {
  return Object.entries(pdlss)
    .filter(([, rules]) => Object.keys(rules ?? {}).length > 0)
    .map(([dimension]) => dimension)
}

/** Rejects a runtime-challenge URL that the service would not call. @throws ApiError VALIDATION_ERROR. */
export function checkChallengeUrl(
  { apiEndpoint }: Pick<AgentRegistration, 'apiEndpoint'>,
  allowPrivateNetwork: boolean,
): void {
  const fault = apiEndpoint === null ? null : findPublicHostFault(apiEndpoint, allowPrivateNetwork)
  if (fault !== null) {
    throw validationError([{ pointer: '/apiEndpoint', code: 'invalid_url', message: fault }])
  }
}
