import { PROTOCOLS } from '@svc/core/commerce/commerceProtocol.ts'
import { agentSchemas } from '@svc/core/contract/agents.ts'
import { ApiFailure } from '../../api/apiFailure.ts'
import type { Faults } from '../../parts/forms/readFaults.ts'

/** Labels of the wizard's fields, by their paths in the body of the registration. */
export const FIELD_LABELS = {
  ...{ name: 'Name', description: 'Description', agentType: 'Type', image: 'Picture URL' },
  ...{ 'model/modelName': 'Model', 'model/modelProvider': 'Model provider', 'model/modelType': 'Model type' },
  ...{ 'framework/frameworkName': 'Framework', 'framework/frameworkVersion': 'Framework version' },
  ...{ apiEndpoint: 'Challenge URL', protocols: 'Protocols' },
} as const

/** What is wrong with the wizard's fields. */
export type FieldFaults = Faults<keyof typeof FIELD_LABELS>['at']

/** Says what is wrong with the address of the picture; undefined if nothing is. */
export function findPictureFault({ image }: { image: string }): string | undefined {
  const url = image.trim()
  if (url === '' || agentSchemas.url.safeParse(url).success) return undefined
  return 'Enter a whole address, such as https://your-company.io/agent.png'
}

/** The members of the body that each step fills in. */
const MEMBERS: readonly (readonly string[])[] = [
  ['name', 'description', 'agentType', 'image'],
  ['model', 'framework', 'apiEndpoint', 'protocols', ...PROTOCOLS],
  ['pdlss'],
]

/** Finds the first step that filled in something that the service refuses; null if the failure is about something else. */
export function findRefusedStep(error: unknown): number | null {
  if (!(error instanceof ApiFailure)) return null
  const refused = error.errors.map(({ pointer }) => pointer.split('/')[1] ?? '')
  const step = MEMBERS.findIndex((members) => refused.some((member) => members.includes(member)))
  return step === -1 ? null : step
}
