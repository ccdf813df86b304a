import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import type { AgentKey } from '@svc/core/signing/computeKeyThumbprint.ts'

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
  description?: string | undefined
  agentType?: string | undefined
  /** The agent's runtime-challenge URL. */
  apiEndpoint?: string | undefined
  /** URL of a picture. */
  image?: string | undefined
  model?:
    | { modelName?: string | undefined; modelProvider?: string | undefined; modelType?: string | undefined }
    | undefined
  framework?: { frameworkName?: string | undefined; frameworkVersion?: string | undefined } | undefined
  protocols?: Protocol[] | undefined
  pdlss?: Pdlss | undefined
  /** The public keys that the agent signs its requests with, each as a JWK; at most 20. */
  keys?: AgentKey[] | undefined
} & Partial<Record<Protocol, Record<string, unknown>>>
