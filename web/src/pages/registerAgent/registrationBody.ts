import type { AgentDraft } from './agentDraft.ts'
import { draftDeclarations } from './draftDeclarations.ts'

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
