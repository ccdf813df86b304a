import { Autocomplete, Stack, Textarea, TextInput } from '@mantine/core'
import type { AgentDraft } from './agentDraft.ts'
import { FIELD_LABELS, type FieldFaults, findPictureFault } from './agentFields.ts'

type Props = { draft: AgentDraft; faults: FieldFaults; set: (fields: Partial<AgentDraft>) => void }

/** Suggested types; any other is accepted. */
const TYPES = ['chatbot', 'assistant', 'automation', 'autonomous', 'workflow']

/** First step: name, description and picture. */
export function IdentityStep({ draft, faults, set }: Props) {
  return (
    <Stack>
      <TextInput
        label={FIELD_LABELS.name}
        error={faults.name}
        description="Shown to owners and endpoints. Can be changed later."
        required
        pattern=".*\S.*"
        maxLength={200}
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Textarea
        label={FIELD_LABELS.description}
        error={faults.description}
        description="What it does, in a sentence or two. A description raises the trust score."
        maxLength={2000}
        autosize
        minRows={2}
        value={draft.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Autocomplete
        label={FIELD_LABELS.agentType}
        error={faults.agentType}
        description="Cannot be changed later."
        data={TYPES}
        maxLength={200}
        value={draft.agentType}
        onChange={(agentType) => set({ agentType })}
      />
      <TextInput
        label={FIELD_LABELS.image}
        error={findPictureFault(draft) ?? faults.image}
        type="url"
        placeholder="https://…"
        maxLength={2048}
        value={draft.image}
        onChange={(event) => set({ image: event.currentTarget.value })}
      />
    </Stack>
  )
}
