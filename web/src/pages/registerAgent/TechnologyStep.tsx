import { Chip, Group, Input, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { PROTOCOLS } from '@svc/core/commerce/commerceProtocol.ts'
import type { AgentDraft } from './agentDraft.ts'
import { FIELD_LABELS, type FieldFaults } from './agentFields.ts'
import { DeclarationFields } from './DeclarationFields.tsx'

type Props = { draft: AgentDraft; faults: FieldFaults; set: (fields: Partial<AgentDraft>) => void }

const FIELDS = [
  ['model/modelName', 'modelName', 'open-model-7b'],
  ['model/modelProvider', 'modelProvider', 'self-hosted'],
  ['model/modelType', 'modelType', 'llm'],
  ['framework/frameworkName', 'frameworkName', 'in-house'],
  ['framework/frameworkVersion', 'frameworkVersion', '1.0'],
] as const

/** Second step: model, framework, challenge URL and protocols. */
export function TechnologyStep({ draft, faults, set }: Props) {
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {FIELDS.map(([path, name, placeholder]) => (
          <TextInput
            key={name}
            label={FIELD_LABELS[path]}
            placeholder={placeholder}
            error={faults[path]}
            maxLength={200}
            value={draft[name]}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      <TextInput
        label={FIELD_LABELS.apiEndpoint}
        error={faults.apiEndpoint}
        description="Where the service can ask the agent to confirm that a request is its own."
        type="url"
        placeholder="https://agent.your-company.io/challenge"
        maxLength={2048}
        value={draft.apiEndpoint}
        onChange={(event) => set({ apiEndpoint: event.currentTarget.value })}
      />
      <Input.Wrapper
        label={FIELD_LABELS.protocols}
        error={faults.protocols}
        description="The protocols it supports. Its declarations prefill the boundary in the next step."
        labelElement="div"
      >
        <Chip.Group
          multiple
          value={draft.protocols}
          onChange={(names) => set({ protocols: PROTOCOLS.filter((one) => names.includes(one)) })}
        >
          <Group gap={6} mt={6} role="group" aria-label="Protocols">
            {PROTOCOLS.map((name) => (
              <Chip key={name} value={name} size="xs" radius="sm">
                {name}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      {draft.protocols.map((protocol) => (
        <DeclarationFields
          key={protocol}
          protocol={protocol}
          values={draft.declarations[protocol] ?? {}}
          onChange={(values) => set({ declarations: { ...draft.declarations, [protocol]: values } })}
        />
      ))}
    </Stack>
  )
}
