import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Invitations of addresses into organisations. Pending memberships become invitations, so that every membership is an
 * accepted one.
 */
export const invitations: NumberedMigration = {
  name: '0019_invitations',
  async up(schema) {
    await schema.schema.createTable('invitations', (t) => {
      t.string('id').primary()
      t.string('organization_id').notNullable().references('organizations.id')
      t.string('email').notNullable().index()
      t.string('role').notNullable()
      t.string('token_hash').notNullable().unique()
      t.bigInteger('created_at').notNullable()
      t.bigInteger('expires_at').notNullable()
      t.unique(['organization_id', 'email'])
    })
    const invited = await schema('memberships')
      .join('users', 'users.id', 'memberships.user_id')
      .select({
        organizationId: 'memberships.organization_id',
        userId: 'memberships.user_id',
        email: 'users.email',
        role: 'memberships.role',
        createdAt: 'memberships.created_at',
      })
      .where({ 'memberships.status': 'invited' })
      .whereNotNull('users.email')
    for (const { organizationId, userId, email, role, createdAt } of invited) {
      const id = `${organizationId}.${userId}`
      await schema('invitations').insert({
        id,
        organization_id: organizationId,
        email,
        role,
        // No token was mailed, and no text has this hash.
        token_hash: `none ${id}`,
        created_at: createdAt,
        expires_at: Number(createdAt) + LIFETIME_MS,
      })
    }
    await schema('memberships').delete().where({ status: 'invited' })
  },
  async down(schema) {
    await schema.schema.dropTable('invitations')
  },
}

/** Converted invitations get the lifetime of new ones. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000
