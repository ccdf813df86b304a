import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { protocolDeclarations } from '@svc/core/commerce/protocolDeclarations.ts'
import { protocolFields } from '@svc/core/commerce/protocolFields.ts'
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

/** The body that registers an agent; what was not stated is left out. Source: Spec: Agent, registration fields. */
export function registrationBody(draft: AgentDraft): object {
  const { name, description, agentType, image, apiEndpoint, protocols, pdlss } = draft
  const { modelName, modelProvider, modelType, frameworkName, frameworkVersion } = draft
  return stated({
    ...{ name, description, agentType, image, apiEndpoint, protocols },
    model: stated({ modelName, modelProvider, modelType }),
    framework: stated({ frameworkName, frameworkVersion }),
    pdlss,
    ...Object.fromEntries(draftDeclarations(draft).blocks),
  })
}

function stated(fields: Record<string, unknown>): object {
  const texts = Object.entries(fields).map(
    ([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const,
  )
  return Object.fromEntries(texts.filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

/** The blocks of the chosen protocols that say something, and whether all of them can be registered. */
export function draftDeclarations({
  protocols,
  declarations,
}: Pick<AgentDraft, 'protocols' | 'declarations'>) {
  const blocks: [Protocol, Record<string, unknown>][] = []
  for (const protocol of protocols) {
    const block = declarationBlock(protocol, declarations[protocol] ?? {})
    if (block !== null) blocks.push([protocol, block])
  }
  const areValid = blocks.every(
    ([protocol, block]) => protocolDeclarations[protocol].safeParse(block).success,
  )
  return { blocks, areValid }
}

/** The block of a protocol from what was entered, field by its path; null when nothing was. */
export function declarationBlock(protocol: Protocol, values: DraftValues): Record<string, unknown> | null {
  const block: Record<string, unknown> = {}
  for (const { name, type } of protocolFields[protocol]) {
    const value = values[name]
    if (value === undefined || value === '' || value === false) continue
    if (Array.isArray(value) && value.length === 0) continue
    put(block, name.split('.'), type === 'json' && typeof value === 'string' ? jsonOr(value) : value)
  }
  return Object.keys(block).length === 0 ? null : block
}

function put(block: Record<string, unknown>, [first = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    block[first] = value
    return
  }
  const inner = (block[first] ?? {}) as Record<string, unknown>
  block[first] = inner
  put(inner, rest, value)
}

/** What is no JSON stays text, which the check of the field then refuses. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
