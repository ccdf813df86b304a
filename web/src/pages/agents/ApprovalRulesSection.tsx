import { Button, Group, NativeSelect, NumberInput, Paper, Stack, Text } from '@mantine/core'
import { type ApprovalRule, approvalRulesSchema } from '@svc/core/access/approvalRules.ts'
import { parseWith } from '@svc/core/fieldErrors.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { isSameJson } from '../../parts/isSameJson.ts'
import { Loaded } from '../../parts/Loaded.tsx'
import { NamesField } from '../../parts/pdlss/NamesField.tsx'
import { Section } from '../../parts/Section.tsx'

/** What the owner wants to be asked about; changing it takes a fresh passkey. Source: api.md "Agents". */
export function ApprovalRulesSection({ svcId }: { svcId: string }) {
  const path = `/api/agents/${svcId}/approval-rules`
  const query = useApiQuery<{ rules: ApprovalRule[] }>(path)
  return (
    <Section
      title="Approval rules"
      description="When the agent asks you instead of being granted or denied. They stand beside the boundary and may change; saving asks for your passkey."
    >
      <Loaded query={query}>
        {({ rules }) => <Editor key={JSON.stringify(rules)} saved={rules} path={path} />}
      </Loaded>
    </Section>
  )
}

function Editor({ saved, path }: { saved: ApprovalRule[]; path: string }) {
  const [rules, setRules] = useState<readonly ApprovalRule[]>(saved)
  const change = useApiMutation({ invalidates: [path] })
  const parsed = parseWith(approvalRulesSchema, rules)
  const isChanged = !isSameJson(rules, saved)
  const problemOf = (at: number) =>
    parsed.ok ? undefined : parsed.errors.find(({ pointer }) => pointer.startsWith(`/${at}/`))?.message
  return (
    <Stack gap="sm">
      {rules.length === 0 && <Text c="dimmed">No rule: only spend between the thresholds asks you.</Text>}
      {rules.map((rule, at) => (
        <RuleRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own and move only by removal
          key={at}
          {...{ rule, at, problem: problemOf(at) }}
          onChange={(next) => setRules(rules.map((one, index) => (index === at ? next : one)))}
          onRemove={() => setRules(rules.filter((_, index) => index !== at))}
        />
      ))}
      <FailureNote error={change.error} />
      <Group>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setRules([...rules, ruleOn('purpose')])}
        >
          Add a rule
        </Button>
        {isChanged && (
          <>
            <Button
              leftSection={<Icon name="passkey" size={16} />}
              loading={change.isPending}
              disabled={!parsed.ok}
              onClick={() => change.mutate({ method: 'PUT', path, body: { rules } })}
            >
              Save the rules
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
  problem: string | undefined
  onChange: (rule: ApprovalRule) => void
  onRemove: () => void
}

function RuleRow({ rule, at, problem, onChange, onRemove }: RowProps) {
  const { effect, lists } = approvalRuleFields[rule.dimension]
  const match: Record<string, unknown> = rule.match
  /** A list that is empty narrows nothing, so that it is left out. */
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
            label={`Rule ${at + 1}, on`}
            data={Object.entries(approvalRuleFields).map(([value, { title }]) => ({ value, label: title }))}
            value={rule.dimension}
            onChange={(event) => onChange(ruleOn(event.currentTarget.value))}
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
          <NumberInput
            label="Already from this amount on"
            min={0}
            value={rule.match.minValue ?? ''}
            placeholder="Between the thresholds only"
            onChange={(value) => set('minValue', value === '' ? '' : Number(value))}
            maw={280}
          />
        )}
        {lists.map(([name, label]) => (
          <NamesField
            key={name}
            label={label}
            help="Empty: any"
            value={Array.isArray(match[name]) ? match[name].map(String) : []}
            onChange={(names) => set(name, names)}
          />
        ))}
        {problem && (
          <Text size="sm" c="red" role="alert">
            {problem}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function ruleOn(dimension: string): ApprovalRule {
  return { dimension, match: {} } as ApprovalRule
}

type RuleDimension = ApprovalRule['dimension']

type Entry = { title: string; effect: string; lists: readonly (readonly [name: string, label: string])[] }

/** What a rule on each dimension does, and the lists that narrow it. Source: verification.md "Owner's approval rules". */
const approvalRuleFields: Readonly<Record<RuleDimension, Entry>> = {
  spend: {
    title: 'Spend',
    effect: 'Spend between your thresholds always asks you; with an amount, it asks from there on already.',
    lists: [],
  },
  purpose: {
    title: 'Purpose',
    effect: 'What would be granted asks you first.',
    lists: [
      ['categories', 'Only for categories'],
      ['actions', 'Only for actions'],
    ],
  },
  duration: {
    title: 'Duration',
    effect: 'Outside its days, hours or session length the agent asks you instead of being denied.',
    lists: [],
  },
  scope: {
    title: 'Scope',
    effect: 'Outside its scope the agent asks you instead of being denied.',
    lists: [
      ['resources', 'Only for resources (globs)'],
      ['jurisdictions', 'Only for jurisdictions'],
      ['counterparties', 'Only for hosts of counterparties'],
    ],
  },
  selfInstantiation: {
    title: 'Self-instantiation',
    effect: 'Each sub-agent that would be granted asks you first.',
    lists: [['purposes', 'Only for purposes']],
  },
}
