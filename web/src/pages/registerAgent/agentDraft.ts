import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import type { Boundary } from '../../api/types.ts'

/** Entered values of a declaration. */
export type DraftValues = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** What the wizard has been told so far; a text that is empty is not stated. */
export type AgentDraft = {
  name: string
  description: string
  agentType: string
  image: string
  modelName: string
  modelProvider: string
  modelType: string
  frameworkName: string
  frameworkVersion: string
  apiEndpoint: string
  protocols: Protocol[]
  /** What was entered of each protocol, by the path of the field. */
  declarations: Partial<Record<Protocol, DraftValues>>
  pdlss: Boundary
}

/** Nothing said yet. */
export const EMPTY_DRAFT: AgentDraft = {
  ...{ name: '', description: '', agentType: '', image: '', apiEndpoint: '' },
  ...{ modelName: '', modelProvider: '', modelType: '', frameworkName: '', frameworkVersion: '' },
  protocols: [],
  declarations: {},
  pdlss: {},
}
