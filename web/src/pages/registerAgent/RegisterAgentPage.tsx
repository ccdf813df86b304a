import { Anchor, Box, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { prefillPdlss } from '@svc/core/commerce/prefillPdlss.ts'
import { type FormEvent, useEffect, useState } from 'react'
import { BoundaryTemplates } from '../../parts/BoundaryTemplates.tsx'
import { BoundaryView } from '../../parts/BoundaryView.tsx'
import { boundaryTemplates } from '../../parts/boundaryTemplates.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { findBoundaryProblems } from '../../parts/pdlss/boundaryDimensions.ts'
import { PdlssEditor } from '../../parts/pdlss/PdlssEditor.tsx'
import { Section } from '../../parts/Section.tsx'
import { useFocusOnChange } from '../../parts/useFocusOnChange.ts'
import { navigate, useAddress } from '../../router/navigate.ts'
import { type AgentDraft, buildRegistration, collectDeclarations, readApprovalRules } from './agentDraft.ts'
import { FIELD_LABELS, findPictureFault, findRefusedStep } from './agentFields.ts'
import { draftMemory } from './draftMemory.ts'
import { IdentityStep } from './IdentityStep.tsx'
import { PrefillNote } from './PrefillNote.tsx'
import { SignStep } from './SignStep.tsx'
import { TechnologyStep } from './TechnologyStep.tsx'

const STEPS = [
  { title: 'Identity', about: 'Who the agent is. Only the name is required.' },
  {
    title: 'Technology',
    about:
      'How it is built. All fields are optional but raise the trust score. They cannot be changed later.',
  },
  {
    title: 'Boundary',
    about:
      'The most that the agent may do (PDLSS). It cannot be changed later, and only the owner can read it, not even the agent. Empty fields restrict nothing.',
  },
  {
    title: 'Sign',
    about: 'Your signature gives the agent an identifier, a trust score and an on-chain token.',
  },
] as const

const LAST_STEP = STEPS.length - 1

/**
 * Wizard that registers an agent; endpoints point unidentified callers here. Each step is a page of the browser's history,
 * and what was entered lasts as long as the tab.
 */
export function RegisterAgentPage() {
  const { search } = useAddress()
  const [draft, setDraft] = useState<AgentDraft>(draftMemory.read)
  useEffect(() => draftMemory.write(draft), [draft])
  const set = (fields: Partial<AgentDraft>) => setDraft((current) => ({ ...current, ...fields }))
  /** Why the service has refused what the steps before the last one filled in. */
  const [refusal, setRefusal] = useState<unknown>(null)
  const { at: faults, rest } = readFaults(refusal, FIELD_LABELS)
  const effective = prefillPdlss(draft.pdlss, collectDeclarations(draft).blocks)
  const isBoundaryValid = findBoundaryProblems(draft.pdlss, 'agent').length === 0
  /** Whether each step is complete. */
  const isReady = [
    draft.name.trim() !== '' && findPictureFault(draft) === undefined,
    collectDeclarations(draft).areValid,
    isBoundaryValid,
  ]
  const firstUnready = isReady.indexOf(false)
  const asked = Math.min(Math.max(Math.trunc(Number(search.get('step')) || 1), 1) - 1, LAST_STEP)
  const step = firstUnready === -1 ? asked : Math.min(asked, firstUnready)
  const area = useFocusOnChange(step)
  const setStep = (next: number) => navigate(addressOf(next))
  // Otherwise, completing this step would at once show the later one that the address names.
  useEffect(() => {
    if (step !== asked) navigate(addressOf(step), { replace: true })
  }, [step, asked])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (step !== firstUnready) setStep(step + 1)
    else showFirstFault(area.current)
  }
  const handleFailure = (error: unknown) => {
    const refused = findRefusedStep(error)
    setRefusal(refused === null ? null : error)
    if (refused !== null) setStep(refused)
  }
  const content = [
    <IdentityStep key="identity" {...{ draft, faults, set }} />,
    <TechnologyStep key="technology" {...{ draft, faults, set }} />,
    <Stack key="boundary">
      <BoundaryTemplates
        value={draft.template}
        onChange={(template) => set({ template, pdlss: boundaryTemplates[template].pdlss })}
      />
      <PrefillNote draft={draft} />
      <PdlssEditor
        side="agent"
        boundary={draft.pdlss}
        onChange={(pdlss) => set({ pdlss })}
        words={<BoundaryView boundary={effective} side="agent" approvalRules={readApprovalRules(draft)} />}
      />
    </Stack>,
    <SignStep
      key="sign"
      body={buildRegistration(draft)}
      approvalRules={readApprovalRules(draft)}
      boundary={effective}
      onFailure={handleFailure}
      onDone={draftMemory.forget}
    />,
  ]
  const { title, about } = STEPS[step] ?? STEPS[0]
  return (
    <>
      <PageHeader
        title="Register an agent"
        description="With your passkey, or with a key of your own and without an account. You need no gas."
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
            <Progress value={((step + 1) / STEPS.length) * 100} size="sm" aria-label="Progress" />
            {content[step]}
            {step === findRefusedStep(refusal) && <FailureNote error={rest} />}
            <form onSubmit={submit} id="agent-step">
              <Group>
                {step > 0 && (
                  <Button variant="default" onClick={() => setStep(step - 1)}>
                    Back
                  </Button>
                )}
                {step < LAST_STEP && (
                  <Button type="submit">Next: {STEPS[step + 1]?.title.toLowerCase()}</Button>
                )}
              </Group>
            </form>
          </Section>
        </Box>
        <Section title="Afterwards, with every request">
          <Text maw={720}>
            The agent identifies itself in the header <code>X-Svc-Id</code> and states its purpose in{' '}
            <code>X-Svc-Purpose</code> (<code>category:action</code>). The counterparty then asks this service
            for a decision. For details, see the{' '}
            <Anchor href="/docs/" underline="always">
              documentation
            </Anchor>
            .
          </Text>
        </Section>
      </Stack>
    </>
  )
}

function addressOf(step: number): string {
  return `/agents/register?step=${step + 1}`
}

/** Moves the focus to the first field that keeps the step from being complete, and has the browser say what it lacks. */
function showFirstFault(area: HTMLElement | null): void {
  const fields = [...(area?.querySelectorAll<HTMLInputElement>('input, textarea, select') ?? [])]
  const faulty = fields.find((one) => one.getAttribute('aria-invalid') === 'true' || !one.validity.valid)
  faulty?.focus()
  faulty?.reportValidity()
}
