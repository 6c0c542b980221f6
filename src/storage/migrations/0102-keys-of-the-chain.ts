// The newest key by which a batch of the chain is signed is found at once: none below it may sign again.

export const sql = 'create index chain_batches_by_key on chain_batches (key)'
