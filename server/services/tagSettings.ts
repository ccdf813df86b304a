import { encodeBase64Url } from '@svc/core/bytes.ts'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { BLOCKS } from '@svc/core/commerce/commerceProtocol.ts'
import { putAgentSettingsBody } from '@svc/core/contract/agents.ts'
import { putEndpointBody } from '@svc/core/contract/endpoints.ts'
import { sha256 } from '@svc/core/hash.ts'

/** The members of each resource that its change operation accepts. */
const SETTINGS = {
  agent: ['name', 'description', 'image', 'protocols', ...BLOCKS],
  agentRequirements: Object.keys(putAgentSettingsBody.shape),
  approvalRules: ['rules'],
  endpoint: Object.keys(putEndpointBody.shape),
  webhook: ['url'],
  allowlistOfOwner: ['ids'],
} as const

export type SettingsKind = keyof typeof SETTINGS

/**
 * The entity tag of the settings of a resource: equal exactly if the settings are.
 *
 * What the service computes, such as a trust score, does not change it. No response of the API is cached, so that the tag
 * serves preconditions only.
 *
 * Source: RFC 9110 §8.8.3.
 */
export function tagSettings(kind: SettingsKind, resource: object): string {
  const members = new Map<string, unknown>(Object.entries(resource))
  const given = SETTINGS[kind].filter((name) => members.get(name) !== undefined)
  const settings = Object.fromEntries(given.map((name) => [name, members.get(name)]))
  return `"${encodeBase64Url(sha256(canonicaliseJson(settings)))}"`
}
