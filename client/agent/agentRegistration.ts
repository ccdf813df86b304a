import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'

/**
 * What an owner registers; only the name is required.
 *
 * `pdlss`, `model`, `framework`, `agentType` and `apiEndpoint` cannot be changed afterwards. Each declared protocol may have
 * a member of the same name with its details.
 *
 * Source: Spec: Agent, registration fields; Spec: Commerce protocol declarations.
 */
export type AgentRegistration = {
  name: string
  description?: string
  agentType?: string
  /** The agent's runtime-challenge URL. */
  apiEndpoint?: string
  /** URL of a picture. */
  image?: string
  model?: { modelName?: string; modelProvider?: string; modelType?: string }
  framework?: { frameworkName?: string; frameworkVersion?: string }
  protocols?: Protocol[]
  pdlss?: Pdlss
} & Partial<Record<Protocol, Record<string, unknown>>>
