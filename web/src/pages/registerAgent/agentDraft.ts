import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { protocolDeclarations } from '@svc/core/commerce/protocolDeclarations.ts'
import { protocolFields } from '@svc/core/commerce/protocolFields.ts'
import type { BodyOf } from '@svc/core/contract/operations.ts'
import { boundaryTemplates, type TemplateName } from '../../parts/boundaryTemplates.ts'
import type { Boundary } from '../../parts/pdlss/boundaryDimensions.ts'

/** The values entered for a declaration. */
export type DraftValues = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** The input of the wizard so far; empty text means not stated. */
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
  /** The values entered for each protocol, by field path. */
  declarations: Partial<Record<Protocol, DraftValues>>
  pdlss: Boundary
  template: TemplateName
}

/** The empty draft. */
export const EMPTY_DRAFT: AgentDraft = {
  ...{ name: '', description: '', agentType: '', image: '', apiEndpoint: '' },
  ...{ modelName: '', modelProvider: '', modelType: '', frameworkName: '', frameworkVersion: '' },
  protocols: [],
  declarations: {},
  pdlss: {},
  template: 'custom',
}

type Registration = BodyOf<'POST /api/agents/register'>

/** What the owner is asked from the beginning; undefined for the default rules. Only a passkey registers it. */
export function readApprovalRules({ template }: AgentDraft) {
  const chosen = boundaryTemplates[template]
  return 'approvalRules' in chosen ? [...chosen.approvalRules] : undefined
}

/** Builds the registration body, omitting empty fields. Source: Spec: Agent, registration fields. */
export function buildRegistration(draft: AgentDraft): Registration {
  const { name, description, agentType, image, apiEndpoint, protocols, pdlss } = draft
  const { modelName, modelProvider, modelType, frameworkName, frameworkVersion } = draft
  return omitEmpty({
    ...{ name, description, agentType, image, apiEndpoint, protocols },
    model: omitEmpty({ modelName, modelProvider, modelType }),
    framework: omitEmpty({ frameworkName, frameworkVersion }),
    pdlss,
    ...Object.fromEntries(collectDeclarations(draft).blocks),
  }) as Registration
}

function omitEmpty(fields: Record<string, unknown>): object {
  const texts = Object.entries(fields).map(
    ([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const,
  )
  return Object.fromEntries(texts.filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

/** Returns the non-empty declarations of the selected protocols, and whether all are valid. */
export function collectDeclarations({
  protocols,
  declarations,
}: Pick<AgentDraft, 'protocols' | 'declarations'>) {
  const blocks: [Protocol, Record<string, unknown>][] = []
  for (const protocol of protocols) {
    const block = buildDeclaration(protocol, declarations[protocol] ?? {})
    if (block !== null) blocks.push([protocol, block])
  }
  const areValid = blocks.every(
    ([protocol, block]) => protocolDeclarations[protocol].safeParse(block).success,
  )
  return { blocks, areValid }
}

/** Builds the declaration of a protocol from the values entered by field path; null if there are none. */
export function buildDeclaration(protocol: Protocol, values: DraftValues): Record<string, unknown> | null {
  const block: Record<string, unknown> = {}
  for (const { name, type } of protocolFields[protocol]) {
    const value = values[name]
    if (value === undefined || value === '' || value === false) continue
    if (Array.isArray(value) && value.length === 0) continue
    setPath(
      block,
      name.split('.'),
      type === 'json' && typeof value === 'string' ? tryParseJson(value) : value,
    )
  }
  return Object.keys(block).length === 0 ? null : block
}

function setPath(block: Record<string, unknown>, [first = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    block[first] = value
    return
  }
  const inner = (block[first] ?? {}) as Record<string, unknown>
  block[first] = inner
  setPath(inner, rest, value)
}

/** Parses JSON; invalid JSON stays text, which validation then rejects. */
function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
