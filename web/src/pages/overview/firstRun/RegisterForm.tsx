import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { registerWithPasskey } from '../../../api/registerWithPasskey.ts'
import { useInvalidate } from '../../../api/useInvalidate.ts'
import { BoundaryTemplates } from '../../../parts/BoundaryTemplates.tsx'
import { boundaryTemplates, type TemplateName } from '../../../parts/boundaryTemplates.ts'
import { createAgentKey, saveAgentKey } from '../../../parts/code/createAgentKey.ts'
import { FormFailure } from '../../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../../parts/forms/readFaults.ts'
import { readFields } from '../../../parts/forms/readFields.ts'
import { Icon } from '../../../parts/Icon.tsx'
import { type Boundary, findBoundaryProblems } from '../../../parts/pdlss/boundaryDimensions.ts'
import { PdlssEditor } from '../../../parts/pdlss/PdlssEditor.tsx'
import type { RunningAgent } from './runningAgent.ts'

/** Registers an agent with the passkey of the account, and makes its key; its private half is saved as a file. */
export function RegisterForm({ onRegistered }: { onRegistered: (agent: RunningAgent) => void }) {
  const [template, setTemplate] = useState<TemplateName>('shopping')
  const [custom, setCustom] = useState<Boundary>({})
  const chosen = boundaryTemplates[template]
  const isCustom = template === 'custom'
  const pdlss = isCustom ? custom : chosen.pdlss
  const approvalRules = 'approvalRules' in chosen ? [...chosen.approvalRules] : undefined
  const invalidate = useInvalidate()
  const registering = useMutation({
    async mutationFn(name: string) {
      const key = await createAgentKey()
      const svcId = await registerWithPasskey({ name, pdlss, keys: [key.publicKey], approvalRules })
      saveAgentKey(key)
      return { svcId, key, purpose: isCustom ? choosePurpose(custom) : chosen.purpose }
    },
    onSuccess(agent) {
      onRegistered(agent)
      void invalidate(['GET /api/agents'])
    },
  })
  const faults = readFaults(registering.error, { name: 'Name of the agent' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    registering.mutate(readFields(event.currentTarget, 'agentName').agentName.trim())
  }
  const isValid = !isCustom || findBoundaryProblems(custom, 'agent').length === 0
  return (
    <Stack gap="md">
      <form onSubmit={submit} id="run-agent">
        <TextInput
          name="agentName"
          label="Name of the agent"
          description="Shown to owners and endpoints. Can be changed later."
          placeholder="Shopping assistant"
          required
          maxLength={200}
          error={faults.at.name}
        />
      </form>
      <BoundaryTemplates value={template} onChange={setTemplate} />
      {isCustom && <PdlssEditor side="agent" boundary={custom} onChange={setCustom} />}
      <FormFailure faults={faults} />
      <Group>
        <Button
          type="submit"
          form="run-agent"
          leftSection={<Icon name="passkey" size={16} />}
          loading={registering.isPending}
          disabled={!isValid}
        >
          Register with my passkey
        </Button>
      </Group>
    </Stack>
  )
}

/** A purpose that the boundary allows, as far as its categories say. */
function choosePurpose({ purpose }: Boundary): string {
  const [category] = Array.isArray(purpose?.categories) ? (purpose.categories as unknown[]) : []
  return `${typeof category === 'string' ? category : 'read_data'}:list`
}
