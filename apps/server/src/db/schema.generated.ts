// Written by apps/server/scripts/generate-schema.ts from the migrations. Do not edit.
import type { Generated } from 'kysely'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export type DB = {
  accounts: {
    id: string
    name: string
    plan: string | null
    stripe_customer_id: string | null
    trialed_at: Date | null
    billing_reads: Generated<number>
    billing_read_applied: Generated<number>
    created_at: Generated<Date>
  }
  audit_log: {
    id: string
    account_id: string
    user_id: string | null
    action: string
    target: string | null
    metadata: Generated<Json>
    network: Generated<string>
    created_at: Date
  }
  billing_attempts: {
    id: string
    account_id: string
    user_id: string | null
    plan: string
    seats: number
    trial_days: number
    card_token: string
    state: string
    card_id: string | null
    provider_sub_id: string | null
    setup_intent_id: string | null
    payment_intent_id: string | null
    failure: string | null
    busy_until: Date | null
    network: Generated<string>
    created_at: Date
    updated_at: Date
  }
  events: {
    id: string
    account_id: string
    user_id: string | null
    name: string
    metadata: Generated<Json>
    created_at: Date
  }
  idempotency_keys: {
    scope: string
    key: string
    params_hash: Buffer
    status: number | null
    sealed_body: string | null
    created_at: Date
  }
  invites: {
    id: string
    account_id: string
    email: string
    role: string
    secret_hash: Buffer
    invited_by: string | null
    sent_at: Date
    expires_at: Date
  }
  mailed_tokens: {
    id: string
    token_hash: Buffer
    purpose: string
    user_id: string
    email: string
    created_at: Date
    expires_at: Date
    used_at: Date | null
  }
  masters: {
    user_id: string
    created_at: Generated<Date>
  }
  memberships: {
    account_id: string
    user_id: string
    role: string
    created_at: Generated<Date>
  }
  migrations: {
    name: string
    applied_at: Generated<Date>
  }
  notices: {
    id: string
    type: string
    customer_id: string | null
    subscription_id: string | null
    created_at: Date
    received_at: Generated<Date>
    handled_at: Date | null
  }
  rate_limits: {
    key: string
    points: Generated<number>
    expire: number | null
  }
  sessions: {
    id: string
    token_hash: Buffer
    user_id: string
    account_id: string
    method: string
    user_agent: Generated<string>
    network: Generated<string>
    created_at: Date
    authenticated_at: Date
    last_used_at: Date
    expires_at: Date
  }
  subscriptions: {
    account_id: string
    provider_sub_id: string | null
    plan: string
    pending_plan: string | null
    provider_status: string
    status: string
    seats: Generated<number>
    seat_price: Generated<number>
    cancel_at_period_end: Generated<boolean>
    current_period_start: Date | null
    current_period_end: Date | null
    trial_end: Date | null
    synced_at: Date
  }
  trial_cards: {
    fingerprint_hash: Buffer
    account_id: string
    created_at: Date
  }
  users: {
    id: string
    email: string
    first_name: string
    last_name: string
    password_hash: string | null
    verified_at: Date | null
    locale: Generated<string>
    dark_mode: Generated<boolean>
    avatar: string | null
    duplicate_user: Generated<boolean>
    onboarded_at: Date | null
    default_account_id: string | null
    created_at: Generated<Date>
  }
}
