import { Text, Textarea } from '@mantine/core'
import type { RegistrationRequest } from '@svc/core/contract/registrationRequests.ts'
import { findBoundaryProblems } from '../../parts/pdlss/boundaryDimensions.ts'
import { PdlssEditor } from '../../parts/pdlss/PdlssEditor.tsx'
import { Section } from '../../parts/Section.tsx'

type Registration = RegistrationRequest['registration']

/** What the owner sets with the approval; absent fields stay as they were requested. */
export type Added = Partial<Pick<Registration, 'pdlss'>> & { description?: string }

type Props = { registration: Registration; added: Added; onChange: (added: Added) => void }

const DESCRIPTION_MAX = 2_000

/** The fields of an agent that its owner sets when approving a stranger's request. */
export function AddedFields({ registration, added, onChange }: Props) {
  const boundary = added.pdlss ?? registration.pdlss
  const problems = findBoundaryProblems(boundary, 'agent')
  return (
    <Section
      title="Your settings"
      description="The requester cannot set a boundary. Set the most that the agent may do (PDLSS) before you approve: it cannot be changed later, and only you can read it. Empty fields restrict nothing."
    >
      <Textarea
        label="Description"
        autosize
        maxLength={DESCRIPTION_MAX}
        value={added.description ?? registration.description ?? ''}
        onChange={({ currentTarget }) => onChange({ ...added, description: currentTarget.value })}
      />
      <PdlssEditor side="agent" boundary={boundary} onChange={(pdlss) => onChange({ ...added, pdlss })} />
      {problems.length > 0 && (
        <Text size="sm" c="red" role="status">
          Some fields above are not valid: the approval would be refused.
        </Text>
      )}
    </Section>
  )
}
