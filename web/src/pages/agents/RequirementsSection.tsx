import { Button, Group, Stack, Text } from '@mantine/core'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { useState } from 'react'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { FactBoxes } from '../../parts/FactBoxes.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { type Choice, ChoiceCards } from '../../parts/forms/ChoiceCards.tsx'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Icon } from '../../parts/Icon.tsx'
import { isSameJson } from '../../parts/isSameJson.ts'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { FACT_NAMES, nameProof, PROOF_CHOICES } from '../../parts/words/proofWords.ts'
import { useSettingsChange } from './useSettingsChange.ts'

const DEFAULT = 'default'

type Chosen = IdentityProof | typeof DEFAULT

const CHOICES: readonly Choice<Chosen>[] = [
  {
    value: DEFAULT,
    name: 'Default',
    effect: 'Signed request for an agent that has ever had a key, otherwise only named.',
  },
  ...PROOF_CHOICES,
]

/** What requests of an agent have to prove and to state; saving requires a fresh passkey assertion. */
export function RequirementsSection({ svcId }: { svcId: string }) {
  const query = useApiQuery('GET /api/agents/:id/settings', { params: { id: svcId } })
  return (
    <Section
      title="What requests must prove"
      description="Requests of this agent that prove less are denied everywhere. An endpoint can require more. Saving requires your passkey."
    >
      <Loaded query={query}>
        {({ success: _, ...saved }) => <Editor key={JSON.stringify(saved)} saved={saved} svcId={svcId} />}
      </Loaded>
    </Section>
  )
}

type Settings = Omit<AnswerOf<'GET /api/agents/:id/settings'>, 'success'>

function Editor({ saved, svcId }: { saved: Settings; svcId: string }) {
  const stored: Chosen = saved.minIdentityProof ?? DEFAULT
  const [proof, setProof] = useState(stored)
  const [facts, setFacts] = useState(saved.requiredFacts)
  const change = useSettingsChange(svcId)
  const areFactsChanged = !isSameJson(facts, saved.requiredFacts)
  const isChanged = proof !== stored || areFactsChanged
  useLeaveGuard(isChanged)
  // Only what was edited, because someone else may have changed the rest in the meantime.
  const edited = {
    ...(proof === stored ? {} : { minIdentityProof: proof === DEFAULT ? null : proof }),
    ...(areFactsChanged ? { requiredFacts: facts } : {}),
  }
  const discard = () => {
    setProof(stored)
    setFacts(saved.requiredFacts)
  }
  const choices = CHOICES.map((choice) =>
    choice.value === DEFAULT && stored === DEFAULT
      ? { ...choice, name: `Default: ${nameProof(saved.effectiveMinIdentityProof)?.toLowerCase()}` }
      : choice,
  )
  return (
    <Stack gap="md">
      <InheritedNote inherited={saved.inherited} />
      <ChoiceCards label="What requests must prove" choices={choices} value={proof} onChange={setProof} />
      <FactBoxes value={facts} onChange={setFacts} />
      <FailureNote error={change.error} />
      <Group>
        <Button
          leftSection={<Icon name="passkey" size={16} />}
          loading={change.isPending}
          disabled={!isChanged}
          onClick={() => change.mutate({ params: { id: svcId }, body: edited })}
        >
          Save requirements
        </Button>
        {isChanged && (
          <Button variant="subtle" onClick={discard}>
            Discard
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** What applies to a sub-agent because agents above it require it; nothing if they require nothing. */
function InheritedNote({ inherited: { minIdentityProof, requiredFacts } }: Pick<Settings, 'inherited'>) {
  const names = [
    ...(minIdentityProof === 'none' ? [] : [nameProof(minIdentityProof)]),
    ...requiredFacts.map((fact) => FACT_NAMES[fact]),
  ]
  if (names.length === 0) return null
  return (
    <Text size="sm">
      The agents above this one require at least this of its requests, whatever you choose here:{' '}
      {names.join(', ').toLowerCase()}.
    </Text>
  )
}
