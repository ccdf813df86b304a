import { Button, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core'
import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import { approvalRulesSchema } from '@svc/core/access/approvalRulesSchema.ts'
import { parseWith } from '@svc/core/fieldErrors.ts'
import { useState } from 'react'
import { readSettings } from '../../api/readSettings.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Icon } from '../../parts/Icon.tsx'
import { isSameJson } from '../../parts/isSameJson.ts'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { NumberField } from '../../parts/NumberField.tsx'
import { NamesField } from '../../parts/pdlss/NamesField.tsx'
import { Section } from '../../parts/Section.tsx'
import { StandingRules } from './StandingRules.tsx'

/** The owner's approval rules; saving requires a fresh passkey assertion. */
export function ApprovalRulesSection({ svcId }: { svcId: string }) {
  const query = useApiQuery('GET /api/agents/:id/approval-rules', { params: { id: svcId } })
  return (
    <Section
      title="Approval rules"
      description="When the agent must ask you instead of being granted or denied. Unlike the boundary, these rules can be changed; saving requires your passkey."
    >
      <Loaded query={query}>
        {({ rules, standing }) => (
          <Stack gap="lg">
            <Editor key={JSON.stringify(rules)} saved={rules} svcId={svcId} />
            <StandingRules rules={standing} svcId={svcId} />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function Editor({ saved, svcId }: { saved: ApprovalRule[]; svcId: string }) {
  const [rules, setRules] = useState(saved)
  const change = useApiMutation('PUT /api/agents/:id/approval-rules', {
    invalidates: [['GET /api/agents/:id/approval-rules', { id: svcId }]],
    undo: {
      read: () =>
        readSettings('GET /api/agents/:id/approval-rules', { params: { id: svcId } }, (answer) => answer),
      settingsOf: (answer) => answer,
    },
  })
  const parsed = parseWith(approvalRulesSchema, rules)
  const isChanged = !isSameJson(rules, saved)
  useLeaveGuard(isChanged)
  const findError = (at: number) =>
    parsed.ok ? undefined : parsed.errors.find(({ pointer }) => pointer.startsWith(`/${at}/`))?.message
  return (
    <Stack gap="sm">
      {rules.length === 0 && (
        <Text c="dimmed">No rules: you are asked only about spending between the thresholds.</Text>
      )}
      {rules.map((rule, at) => (
        <RuleRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id, and their order changes only by removal
          key={at}
          {...{ rule, at, error: findError(at) }}
          onChange={(next) => setRules(rules.map((one, index) => (index === at ? next : one)))}
          onRemove={() => setRules(rules.filter((_, index) => index !== at))}
        />
      ))}
      <FailureNote error={change.error} />
      <Group>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setRules([...rules, createRule('purpose')])}
        >
          Add rule
        </Button>
        {isChanged && (
          <>
            <Button
              leftSection={<Icon name="passkey" size={16} />}
              loading={change.isPending}
              disabled={!parsed.ok}
              onClick={() => change.mutate({ params: { id: svcId }, body: { rules } })}
            >
              Save rules
            </Button>
            <Button variant="subtle" onClick={() => setRules(saved)}>
              Discard
            </Button>
          </>
        )}
      </Group>
    </Stack>
  )
}

type RowProps = {
  rule: ApprovalRule
  at: number
  error: string | undefined
  onChange: (rule: ApprovalRule) => void
  onRemove: () => void
}

function RuleRow({ rule, at, error, onChange, onRemove }: RowProps) {
  const { effect, lists } = RULE_FIELDS[rule.dimension]
  const match: Record<string, unknown> = rule.match
  /** Sets a condition; an empty one restricts nothing and is removed. */
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = match
    const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
    onChange({ ...rule, match: isEmpty ? others : { ...others, [name]: value } } as ApprovalRule)
  }
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Rule ${at + 1}`}>
      <Stack gap="xs">
        <Group align="flex-end" gap="sm" justify="space-between">
          <NativeSelect
            label={`Dimension of rule ${at + 1}`}
            data={Object.entries(RULE_FIELDS).map(([value, { title }]) => ({ value, label: title }))}
            value={rule.dimension}
            onChange={(event) => onChange(createRule(event.currentTarget.value))}
            w={200}
          />
          <Button variant="subtle" color="red" onClick={onRemove} aria-label={`Remove rule ${at + 1}`}>
            Remove
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {effect}
        </Text>
        {rule.dimension === 'spend' && (
          <NumberField
            label="Ask at or above this amount"
            value={rule.match.minValue}
            placeholder="Only between the thresholds"
            onChange={(value) => set('minValue', value ?? '')}
            maw={280}
          />
        )}
        {lists.map(([name, label]) => (
          <NamesField
            key={name}
            label={label}
            help="Empty means any"
            value={Array.isArray(match[name]) ? match[name].map(String) : []}
            onChange={(names) => set(name, names)}
          />
        ))}
        {error && (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function createRule(dimension: string): ApprovalRule {
  return { dimension, match: {} } as ApprovalRule
}

type RuleDimension = ApprovalRule['dimension']

type Entry = { title: string; effect: string; lists: readonly (readonly [name: string, label: string])[] }

/** The effect of a rule on each dimension, and its conditions. */
const RULE_FIELDS: Readonly<Record<RuleDimension, Entry>> = {
  spend: {
    title: 'Spend',
    effect:
      'You are always asked about spending between your thresholds. With an amount, you are also asked at or above that amount.',
    lists: [],
  },
  purpose: {
    title: 'Purpose',
    effect: 'You are asked first about requests that would be granted.',
    lists: [
      ['categories', 'Only for categories'],
      ['actions', 'Only for actions'],
    ],
  },
  duration: {
    title: 'Duration',
    effect:
      'You are asked about requests outside the allowed days, hours or session length, which would be denied.',
    lists: [],
  },
  scope: {
    title: 'Scope',
    effect: 'You are asked about requests outside the scope, which would be denied.',
    lists: [
      ['resources', 'Only for resources (globs)'],
      ['jurisdictions', 'Only for jurisdictions'],
      ['counterparties', 'Only for counterparty hosts'],
    ],
  },
  selfInstantiation: {
    title: 'Self-instantiation',
    effect: 'You are asked first about each sub-agent that would be allowed.',
    lists: [['purposes', 'Only for purposes']],
  },
}
