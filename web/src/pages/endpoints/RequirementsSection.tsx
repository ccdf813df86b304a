import { Button, Group } from '@mantine/core'
import { type Endpoint, putEndpointBody } from '@svc/core/contract/endpoints.ts'
import { parseWith } from '@svc/core/fieldErrors.ts'
import { useState } from 'react'
import { FactBoxes } from '../../parts/FactBoxes.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { ChoiceCards } from '../../parts/forms/ChoiceCards.tsx'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { isSameJson } from '../../parts/isSameJson.ts'
import { NamesField } from '../../parts/pdlss/NamesField.tsx'
import { Section } from '../../parts/Section.tsx'
import { PROOF_CHOICES } from '../../parts/words/proofWords.ts'
import { useEndpointChange } from './useEndpointChange.ts'

type Requirements = Pick<Endpoint, 'minIdentityProof' | 'requiredFacts' | 'authorities'>

/** What requests to an endpoint have to prove and to state, and the hosts for which agents may sign. */
export function RequirementsSection({ endpoint }: { endpoint: Endpoint }) {
  const { minIdentityProof, requiredFacts, authorities } = endpoint
  const saved = { minIdentityProof, requiredFacts, authorities }
  return (
    <Section
      title="What requests must prove"
      description="Requests that prove or state less are denied. If a proof is required, so are requests that name no agent. The agent’s owner can require more."
    >
      <Editor key={JSON.stringify(saved)} saved={saved} endpoint={endpoint} />
    </Section>
  )
}

function Editor({ saved, endpoint }: { saved: Requirements; endpoint: Endpoint }) {
  const id = endpoint.svceId ?? endpoint.id
  const [draft, setDraft] = useState(saved)
  const change = useEndpointChange(id)
  const set = (fields: Partial<Requirements>) => setDraft({ ...draft, ...fields })
  const names = Object.keys(saved) as (keyof Requirements)[]
  // Only what was edited, because someone else may have changed the rest in the meantime.
  const edited = names.filter((name) => !isSameJson(draft[name], saved[name]))
  useLeaveGuard(edited.length > 0)
  const body = Object.fromEntries(edited.map((name) => [name, draft[name]]))
  const parsed = parseWith(putEndpointBody, body)
  const hostError = parsed.ok ? undefined : parsed.errors[0]?.message
  return (
    <>
      <ChoiceCards
        label="What requests must prove"
        choices={PROOF_CHOICES}
        value={draft.minIdentityProof}
        onChange={(proof) => set({ minIdentityProof: proof })}
      />
      <FactBoxes value={draft.requiredFacts} onChange={(facts) => set({ requiredFacts: facts })} />
      <NamesField
        label="Further hosts"
        help={`Agents sign for ${new URL(endpoint.counterpartyUrl).host}. Add the other hosts under which they reach this endpoint, such as a gateway’s, with a port if it is not the default.`}
        placeholder="gateway.example:8443"
        value={draft.authorities}
        error={hostError}
        onChange={(hosts) => set({ authorities: hosts.map((host) => host.toLowerCase()) })}
      />
      <FailureNote error={change.error} />
      <Group>
        <Button
          disabled={edited.length === 0 || !parsed.ok}
          loading={change.isPending}
          onClick={() => change.mutate({ params: { id }, body })}
        >
          Save requirements
        </Button>
        {edited.length > 0 && (
          <Button variant="subtle" onClick={() => setDraft(saved)}>
            Discard
          </Button>
        )}
      </Group>
    </>
  )
}
