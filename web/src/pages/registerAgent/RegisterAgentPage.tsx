import { Anchor, Box, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { findBoundaryProblems } from '../../parts/pdlss/boundaryDimensions.ts'
import { PdlssEditor } from '../../parts/pdlss/PdlssEditor.tsx'
import { Section } from '../../parts/Section.tsx'
import { type AgentDraft, draftDeclarations, EMPTY_DRAFT, registrationBody } from './agentDraft.ts'
import { IdentityStep } from './IdentityStep.tsx'
import { PrefillNote } from './PrefillNote.tsx'
import { SignStep } from './SignStep.tsx'
import { TechnologyStep } from './TechnologyStep.tsx'

const STEPS = [
  { title: 'Identity', about: 'Who the agent is. Only the name is required.' },
  {
    title: 'Technology',
    about:
      'What it is made of. All of it may be left out; stated, it raises the trust score. None of it changes later.',
  },
  {
    title: 'Boundary',
    about:
      'What the agent may do at most (PDLSS). It never changes afterwards, and nobody but the owner can read it, not even the agent. What is left empty restricts nothing.',
  },
  {
    title: 'Sign',
    about: 'One signed request gives the agent an identifier, a trust score and a token on chain.',
  },
] as const

const LAST_STEP = STEPS.length - 1

/** Registers an agent step by step: where an endpoint's advice to a caller without identity leads. */
export function RegisterAgentPage() {
  const [step, setStep] = useState(0)
  const [draft, setDraft] = useState<AgentDraft>(EMPTY_DRAFT)
  const set = (fields: Partial<AgentDraft>) => setDraft((before) => ({ ...before, ...fields }))
  const area = useFocusOnChange(step)
  const isBoundaryValid = findBoundaryProblems(draft.pdlss, 'agent').length === 0
  /** Step by step, whether what it asks for is there. */
  const isReady = [draft.name.trim() !== '', draftDeclarations(draft).areValid, isBoundaryValid]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setStep(step + 1)
  }
  const content = [
    <IdentityStep key="identity" {...{ draft, set }} />,
    <TechnologyStep key="technology" {...{ draft, set }} />,
    <Stack key="boundary">
      <PrefillNote draft={draft} />
      <PdlssEditor side="agent" boundary={draft.pdlss} onChange={(pdlss) => set({ pdlss })} />
    </Stack>,
    <SignStep key="sign" body={registrationBody(draft)} />,
  ]
  const { title, about } = STEPS[step] ?? STEPS[0]
  return (
    <>
      <PageHeader
        title="Register an agent"
        description="It takes a key, no account and no gas: the key that signs owns the agent."
      />
      <Stack gap="lg">
        <Box ref={area} tabIndex={-1} style={{ outline: 'none' }}>
          <Section
            title={`${step + 1}. ${title}`}
            description={about}
            right={
              <Text size="sm" c="dimmed">
                Step {step + 1} of {STEPS.length}
              </Text>
            }
          >
            <Progress value={((step + 1) / STEPS.length) * 100} size="sm" aria-label="Steps done" />
            {content[step]}
            <form onSubmit={submit} id="agent-step">
              <Group>
                {step > 0 && (
                  <Button variant="default" onClick={() => setStep(step - 1)}>
                    Back
                  </Button>
                )}
                {step < LAST_STEP && (
                  <Button type="submit" disabled={!isReady.slice(0, step + 1).every(Boolean)}>
                    Next: {STEPS[step + 1]?.title.toLowerCase()}
                  </Button>
                )}
              </Group>
            </form>
          </Section>
        </Box>
        <Section title="Then, with every request">
          <Text maw={720}>
            The agent names itself in the header <code>X-Svc-Id</code>, and says in <code>X-Svc-Purpose</code>{' '}
            what it wants (<code>category:action</code>). The counterparty asks this service whether that may
            be. Any part of the interface is described in the{' '}
            <Anchor href="/docs" underline="always">
              reference
            </Anchor>
            .
          </Text>
        </Section>
      </Stack>
    </>
  )
}

/** Another step begins at its top, also for those who do not see it change. */
function useFocusOnChange(step: number) {
  const area = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    area.current?.focus()
  }, [step])
  return area
}
