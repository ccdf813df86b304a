import type { Block, Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import type { PublicKey } from './agentKey.ts'

/**
 * What an owner registers; only the name is required.
 *
 * `pdlss`, `model`, `framework`, `agentType` and `apiEndpoint` cannot be changed afterwards. Each declared protocol may have
 * a member of the same name with its details; `mcp` is the agent's MCP server.
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
  /** Public keys with which the agent signs its requests, from `exportPublicKey`; others can be added later. At most 20. */
  keys?: PublicKey[] | undefined
} & Partial<Record<Block, Record<string, unknown>>>
