// Written by apps/server/scripts/generate-schema.ts from the database schema. Do not edit.
import type { Generated } from 'kysely'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export type DB = {
  account_closures: {
    account_id: string
    closed_by: string
    customer_id: string | null
    closed_at: Date
    settled_at: Date | null
    usage: Generated<Json>
    attempts: Generated<Json>
  }
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
  api_keys: {
    id: string
    account_id: string
    created_by: string | null
    name: string
    masked: string
    scope: string
    key_hash: Buffer
    sealed_key: string | null
    search_text: string
    created_at: Date
    expires_at: Date | null
    warned_days: number | null
    revoked_at: Date | null
    last_used_at: Date | null
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
    area: Generated<string>
  }
  billing_attempts: {
    id: string
    account_id: string
    user_id: string | null
    plan: string | null
    seats: number
    trial_days: number
    card_token: string | null
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
    kind: Generated<string>
    from_plan: string | null
    proration_date: Date | null
    old_card_id: string | null
    replaced_at: Date | null
    promotion_code: string | null
    promotion_id: string | null
    quoted_amount: number | null
    quoted_currency: string | null
    quoted_state: string | null
    quoted_invoices: string[] | null
  }
  billing_notifications_sent: {
    account_id: string
    kind: string
    object_id: string
    sent_at: Date
  }
  challenges: {
    id: string
    token_hash: Buffer
    user_id: string
    method: string
    account_id: string
    tries: Generated<number>
    created_at: Date
    expires_at: Date
    used_at: Date | null
    session_until: Date | null
  }
  devices: {
    user_id: string
    browser_hash: Buffer
    network: string
    first_used_at: Date
    last_used_at: Date
  }
  disconnected_identities: {
    user_id: string
    issuer: string
    subject: string
  }
  email_changes: {
    id: string
    user_id: string
    old_email: string
    new_email: string
    pending: Generated<boolean>
    confirm_hash: Buffer
    confirm_expires_at: Date
    undo_hash: Buffer
    created_at: Date
    expires_at: Date
    methods_added_since: Generated<Date>
    sign_in_started_at: Date | null
  }
  events: {
    id: string
    account_id: string
    user_id: string | null
    name: string
    metadata: Generated<Json>
    created_at: Date
  }
  feedback: {
    id: string
    account_id: string | null
    user_id: string | null
    rating: string
    comment: Generated<string>
    created_at: Date
  }
  former_customers: {
    customer_id: string
    account_id: string
    removed_at: Date
  }
  idempotency_keys: {
    scope: string
    key: string
    params_hash: Buffer
    status: number | null
    sealed_body: string | null
    created_at: Date
  }
  identities: {
    id: string
    user_id: string
    provider: string
    issuer: string
    subject: string
    email: string | null
    created_at: Date
    last_used_at: Date
  }
  impersonations: {
    id: string
    token_hash: Buffer
    master_id: string
    user_id: string
    account_id: string
    created_at: Date
    expires_at: Date
    used_at: Date | null
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
    first_name: Generated<string>
    last_name: Generated<string>
  }
  login_throttle: {
    key: string
    failures: number
    paused_until: Date | null
    newcomers_paused_until: Date | null
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
    person_name: Generated<string>
    person_email: Generated<string>
    person_verified: Generated<boolean>
    last_login_at: Generated<Date>
    role_key: Generated<string | null>
    status_key: Generated<string | null>
    person_first_name: Generated<string>
    person_last_name: Generated<string>
    person_avatar: string | null
    signed_out_at: Date | null
  }
  migrations: {
    name: string
    applied_at: Generated<Date>
  }
  notification_settings: {
    account_id: string
    user_id: string
    name: string
    active: boolean
    updated_at: Date
  }
  orphaned_files: {
    key: string
    remove_after: Date
  }
  passkey_challenges: {
    challenge_hash: Buffer
    browser: Buffer
    user_id: string | null
    purpose: string
    created_at: Date
    expires_at: Date
    session_id: string | null
  }
  passkey_handles: {
    user_id: string
    handle: Buffer
  }
  passkeys: {
    id: string
    user_id: string
    credential_id: Buffer
    public_key: Buffer
    counter: number
    transports: string
    synced: boolean
    name: string
    created_at: Date
    last_used_at: Date | null
  }
  payment_webhooks: {
    id: string
    type: string
    customer_id: string | null
    subscription_id: string | null
    created_at: Date
    received_at: Generated<Date>
    handled_at: Date | null
    object_id: string | null
  }
  rate_limits: {
    key: string
    points: Generated<number>
    expire: number | null
  }
  saml_assertions: {
    connection_id: string
    assertion_id: string
    keep_until: Date
  }
  saml_requests: {
    id: string
    relay_hash: Buffer
    connection_id: string
    purpose: string
    browser_hash: Buffer
    created_at: Date
    expires_at: Date
  }
  saml_sign_in_tokens: {
    id: string
    token_hash: Buffer
    connection_id: string
    browser_hash: Buffer
    sealed_person: string
    created_at: Date
    expires_at: Date
  }
  seat_changes: {
    account_id: string
    version: Generated<number>
    changed_at: Generated<Date>
    synced_version: Generated<number>
    tried_at: Date | null
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
    second_factor: Generated<boolean>
    impersonator_id: string | null
    sign_in_id: string
    browser_hash: Buffer | null
    idle_seconds: Generated<number>
  }
  sign_in_links: {
    token_hash: Buffer
    sign_in_id: string
    user_id: string
    created_at: Date
    expires_at: Date
  }
  sign_in_warnings: {
    user_id: string
    sent_at: Date
  }
  social_flows: {
    id: string
    state_hash: Buffer
    browser: Buffer
    provider: string
    issuer: string
    user_id: string | null
    session_id: string | null
    sealed: string
    created_at: Date
    expires_at: Date
  }
  social_sign_in_tokens: {
    id: string
    token_hash: Buffer
    browser: Buffer
    sealed: string
    created_at: Date
    expires_at: Date
  }
  sql_functions: {
    name: string
    hash: string
  }
  sso_break_glass: {
    account_id: string
    user_id: string
  }
  sso_connections: {
    id: string
    account_id: string
    idp_entity_id: string
    sso_url: string
    certificates: Json
    certificate_expires_at: Date
    warned_days: number | null
    metadata_url: string | null
    sealed_key: string | null
    key_certificate: string | null
    default_role: Generated<string>
    test_result: Json | null
    tested_at: Date | null
    enabled_at: Date | null
    enforced_at: Date | null
    created_by: string | null
    created_at: Date
  }
  sso_domains: {
    id: string
    account_id: string
    domain: string
    proof: string
    proven_at: Date | null
    created_at: Date
  }
  sso_identities: {
    id: string
    account_id: string
    connection_id: string
    name_id: string
    user_id: string
    created_at: Date
    last_used_at: Date
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
    collection_paused: Generated<boolean>
    collection_resumes_at: Date | null
  }
  trial_cards: {
    fingerprint_hash: Buffer
    account_id: string
    created_at: Date
  }
  two_factors: {
    user_id: string
    sealed_secret: string | null
    enabled_at: Date | null
    sealed_pending: string | null
    last_step: Generated<number>
    backup_hash: Buffer | null
    failures: Generated<number>
    failures_since: Date | null
    pending_since: Date | null
    since: Date | null
    setup_failures: Generated<number>
  }
  usage_events: {
    id: string
    account_id: string
    api_key_id: string | null
    identifier: string
    quantity: number
    occurred_at: Date
    created_at: Date
    sent_at: Date | null
    meter: string | null
    refused_at: Date | null
  }
  usage_months: {
    account_id: string
    month: string
    total: number
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
    support_enabled: Generated<boolean>
    password_given: Generated<boolean>
    dark_mode_chosen: Generated<boolean>
  }
}
