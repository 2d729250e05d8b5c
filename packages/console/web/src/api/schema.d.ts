// Made by `npm run types -w packages/console` from the OpenAPI document; not edited by hand.

export interface paths {
    "/api/v1/ai/models": {
        /** List the active models */
        get: operations["native_get_api_v1_ai_models"];
    };
    "/api/v1/ai/models/{modelId}": {
        /** Get an active model */
        get: operations["native_get_api_v1_ai_models_modelId"];
    };
    "/api/v1/text/completions": {
        /** Create a text completion, always streamed */
        post: operations["native_post_api_v1_text_completions"];
    };
    "/api/v1/ai/schemas/{modelId}": {
        /**
         * Get the capabilities of a model as JSON Schema or TypeScript
         * @description The schema of a native request's parameters and content, generated from the capabilities that requests are checked against. A model without capabilities accepts anything; a model of speech what its route does, with its own voices.
         */
        get: operations["native_get_api_v1_ai_schemas_modelId"];
    };
    "/api/v1/image/generations/async": {
        /**
         * Create an image job
         * @description Poll the job until its `status` is `succeeded` or `failed`.
         */
        post: operations["native_post_api_v1_image_generations_async"];
    };
    "/api/v1/image/generations": {
        /** Generate images and wait for them */
        post: operations["native_post_api_v1_image_generations"];
    };
    "/api/v1/image/generations/async/{generationId}": {
        /** Get an image job */
        get: operations["native_get_api_v1_image_generations_async_generationId"];
        /**
         * Cancel an image job
         * @description Work that the provider has begun may still complete and be charged.
         */
        delete: operations["native_delete_api_v1_image_generations_async_generationId"];
    };
    "/api/v1/video/estimate": {
        /**
         * Estimate the cost of a video
         * @description Accepts the body of a generation. Nothing is deducted or stored; the final charge is known when the video is done.
         */
        post: operations["native_post_api_v1_video_estimate"];
    };
    "/api/v1/video/generations": {
        /**
         * Create a video task
         * @description Returns once the provider has accepted the job; poll the task until its `status` is final.
         */
        post: operations["native_post_api_v1_video_generations"];
    };
    "/api/v1/video/tasks/{taskId}": {
        /** Get a video task */
        get: operations["native_get_api_v1_video_tasks_taskId"];
        /**
         * Cancel a video task
         * @description Work that the provider has begun may still complete and be charged.
         */
        delete: operations["native_delete_api_v1_video_tasks_taskId"];
    };
    "/api/v1/kyc/user/assets": {
        /** List the identity assets of the account */
        get: operations["native_get_api_v1_kyc_user_assets"];
        /**
         * Create an identity asset
         * @description The file is fetched and checked afterwards: poll the asset until its `status` is `active` or `failed`. Assets are free.
         */
        post: operations["native_post_api_v1_kyc_user_assets"];
    };
    "/api/v1/kyc/user/assets/{assetId}": {
        /** Get an identity asset */
        get: operations["native_get_api_v1_kyc_user_assets_assetId"];
    };
    "/api/v1/audio/voices": {
        /** List the voices */
        get: operations["native_get_api_v1_audio_voices"];
    };
    "/api/v1/audio/text-to-speech": {
        /**
         * Create a text-to-speech job
         * @description Poll the job until its `status` is `succeeded` or `failed`.
         */
        post: operations["native_post_api_v1_audio_text_to_speech"];
    };
    "/api/v1/audio/generation-with-reference": {
        /**
         * Create a speech job with references
         * @description Poll the job until its `status` is `succeeded` or `failed`.
         */
        post: operations["native_post_api_v1_audio_generation_with_reference"];
    };
    "/api/v1/audio/generations": {
        /** List the finished audio jobs */
        get: operations["native_get_api_v1_audio_generations"];
    };
    "/api/v1/audio/generations/pending": {
        /** List the audio jobs that are running */
        get: operations["native_get_api_v1_audio_generations_pending"];
    };
    "/api/v1/audio/generations/{generationId}": {
        /** Get an audio job */
        get: operations["native_get_api_v1_audio_generations_generationId"];
        /**
         * Cancel an audio job
         * @description Work that the provider has begun may still complete and be charged.
         */
        delete: operations["native_delete_api_v1_audio_generations_generationId"];
    };
    "/api/compat/v1/usage": {
        /** List the generation records of the account */
        get: operations["account_get_api_compat_v1_usage"];
    };
    "/api/compat/v1/usage/series": {
        /**
         * Get sums over the generation records of the account, by time
         * @description Sums are of whole hours: `from` is rounded down to the full hour, `to` up. A generation counts in the hour in which it began, once it has ended; a refund does not reduce the cost.
         */
        get: operations["account_get_api_compat_v1_usage_series"];
    };
    "/api/compat/v1/usage/count": {
        /** Count the generation records of the account */
        get: operations["account_get_api_compat_v1_usage_count"];
    };
    "/api/compat/v1/usage/export": {
        /**
         * Export the generation records of the account as a file
         * @description All records that the filters let through, newest first, without the requests, and with the names of keys; for an operator's session or credential beside the caller's also with the provider. The file is written while it is read. An export that cannot be finished breaks off the connection, so that no part passes for the whole.
         */
        get: operations["account_get_api_compat_v1_usage_export"];
    };
    "/api/compat/v1/usage/{generationId}": {
        /** Get a generation record with its price, its route and its movements of credit */
        get: operations["account_get_api_compat_v1_usage_generationId"];
    };
    "/api/compat/v1/events": {
        /**
         * Listen to what happens to the account's requests, as server-sent events
         * @description `request` (`started`, `answering`, `ended`), `attempt` (`sent`, `answered`, `failed`), `settled`, `job`, for operators `circuit`; each with JSON. They are the events of the process that serves the request. For a slow reader, `gap` says how many events were left out. The stream ends when the service stops, and within a second after the credential is no longer accepted.
         */
        get: operations["account_get_api_compat_v1_events"];
    };
    "/api/compat/v1/jobs": {
        /** List the jobs of all kinds, newest first */
        get: operations["account_get_api_compat_v1_jobs"];
    };
    "/api/compat/v1/jobs/{generationId}": {
        /**
         * Get a job of any kind
         * @description Every read returns new links.
         */
        get: operations["account_get_api_compat_v1_jobs_generationId"];
        /**
         * Cancel a job of any kind
         * @description Work that the provider has begun may still complete and be charged.
         */
        delete: operations["account_delete_api_compat_v1_jobs_generationId"];
    };
    "/api/compat/v1/ledger": {
        /** List the movements of the account's credit, newest first */
        get: operations["account_get_api_compat_v1_ledger"];
    };
    "/api/compat/v1/account": {
        /** Get the account with its balance and holds */
        get: operations["account_get_api_compat_v1_account"];
    };
    "/api/compat/v1/balance": {
        /** Get the credit balance of the account */
        get: operations["account_get_api_compat_v1_balance"];
    };
    "/api/compat/v1/api-key": {
        /**
         * Get name, status and caps of the calling key
         * @description Only with `x-api-key`; a session has no key and gets a `403`.
         */
        get: operations["account_get_api_compat_v1_api_key"];
    };
    "/api/compat/v1/api-keys": {
        /** List the API keys, revoked ones included */
        get: operations["account_get_api_compat_v1_api_keys"];
        /** Create an API key; the response contains the raw key */
        post: operations["account_post_api_compat_v1_api_keys"];
    };
    "/api/compat/v1/api-keys/{keyId}": {
        /** Get an API key */
        get: operations["account_get_api_compat_v1_api_keys_keyId"];
        /** Revoke an API key for good */
        delete: operations["account_delete_api_compat_v1_api_keys_keyId"];
        /** Rename, disable, enable or restrict an API key; null lifts a restriction */
        patch: operations["account_patch_api_compat_v1_api_keys_keyId"];
    };
    "/api/compat/v1/api-keys/{keyId}/usage-limit": {
        /** Set or clear the spend caps of an API key, in US dollars; null clears one */
        patch: operations["account_patch_api_compat_v1_api_keys_keyId_usage_limit"];
    };
    "/api/compat/v1/api-keys/{keyId}/reveal": {
        /**
         * Reveal an API key to a session that signed in recently
         * @description Needs a session younger than 15 minutes, and `keyEncryptionSecrets` of the service.
         */
        post: operations["account_post_api_compat_v1_api_keys_keyId_reveal"];
    };
    "/api/auth/sign-in": {
        /**
         * Sign in with account and password; the response contains a token
         * @description Failed sign-ins are counted by login and by network. After ten for a login, each further one has to wait twice as long as the previous one, at most 15 minutes: `429`. The content type has to be `application/json`.
         */
        post: operations["auth_post_api_auth_sign_in"];
    };
    "/api/auth/sign-out": {
        /** Sign out: end the session of the token; other sessions remain */
        post: operations["auth_post_api_auth_sign_out"];
    };
    "/api/auth/cookies": {
        /**
         * Tell whether browsers keep sessions over plain HTTP
         * @description For the console's sign-in page, which says what to do before a password is sent in vain.
         */
        get: operations["auth_get_api_auth_cookies"];
    };
    "/api/auth/session": {
        /**
         * Get the session of a browser, and renew it
         * @description For the console's own pages: the session is in a cookie that scripts cannot read, and every change needs `x-console: 1` and the same origin.
         */
        get: operations["auth_get_api_auth_session"];
        /**
         * Sign in a browser by password or first-run link; the response sets a cookie
         * @description For the console's own pages: the session is in a cookie that scripts cannot read, and every change needs `x-console: 1` and the same origin.
         */
        post: operations["auth_post_api_auth_session"];
        /** Sign a browser out; the response clears its cookie */
        delete: operations["auth_delete_api_auth_session"];
    };
    "/api/auth/operator": {
        /** Get the name of the operator who is signed in */
        get: operations["auth_get_api_auth_operator"];
        /**
         * Sign an operator in for an hour; the response sets a cookie
         * @description For the console's own pages: the session is in a cookie that scripts cannot read, and every change needs `x-console: 1` and the same origin.
         */
        post: operations["auth_post_api_auth_operator"];
        /** Sign an operator out; the response clears the cookie */
        delete: operations["auth_delete_api_auth_operator"];
    };
    "/api/admin/accounts": {
        /** List the accounts */
        get: operations["admin_get_api_admin_accounts"];
        /** Create an account */
        post: operations["admin_post_api_admin_accounts"];
    };
    "/api/admin/accounts/{accountId}": {
        /** Get an account */
        get: operations["admin_get_api_admin_accounts_accountId"];
        /** Rename, deactivate or activate an account */
        patch: operations["admin_patch_api_admin_accounts_accountId"];
    };
    "/api/admin/accounts/{accountId}/credit": {
        /**
         * Add credit, once per reference
         * @description `201` if it was added, `200` if the same credit was added under the reference before, and `409` if the reference was used for another credit.
         */
        post: operations["admin_post_api_admin_accounts_accountId_credit"];
    };
    "/api/admin/accounts/{accountId}/refunds": {
        /**
         * Refund a generation, once
         * @description `201` if it is refunded now, `200` if it was before. A refund does not count towards spend caps.
         */
        post: operations["admin_post_api_admin_accounts_accountId_refunds"];
    };
    "/api/admin/audit-log": {
        /**
         * List the audit log, newest first
         * @description Changes of keys, accounts, caps, credit, models and configuration, with the values before and after; amounts in micro-USD. Refused sign-ins and operator credentials are kept for 90 days.
         */
        get: operations["admin_get_api_admin_audit_log"];
    };
    "/api/admin/accounts/{accountId}/ledger": {
        /** List the ledger of an account, newest first */
        get: operations["admin_get_api_admin_accounts_accountId_ledger"];
    };
    "/api/admin/accounts/{accountId}/password": {
        /** Set the login and password of an account; its sessions end */
        post: operations["admin_post_api_admin_accounts_accountId_password"];
    };
    "/api/admin/audit": {
        /** Audit the books: recompute every balance and every charge */
        get: operations["admin_get_api_admin_audit"];
    };
    "/api/admin/books": {
        /**
         * List credit, charges and refunds of each day, newest first
         * @description Days are in UTC; days without movements are left out. The request reads every movement of the range.
         */
        get: operations["admin_get_api_admin_books"];
    };
    "/api/admin/state": {
        /**
         * Get the state of providers and model entries
         * @description Circuits, speeds and loads are those of the process that serves the request; `process` names it.
         */
        get: operations["admin_get_api_admin_state"];
    };
    "/api/admin/circuits/{entryId}/reset": {
        /**
         * Close the circuits of a model entry and end its pause
         * @description In the process that serves the request. The next requests show whether the entry works.
         */
        post: operations["admin_post_api_admin_circuits_entryId_reset"];
    };
    "/api/admin/entries/{entryId}": {
        /**
         * Pause or resume a model entry
         * @description Stored with the model and applied by every process within seconds. The next start or reload of the configuration overwrites it.
         */
        post: operations["admin_post_api_admin_entries_entryId"];
    };
    "/api/admin/providers/{providerId}/test": {
        /**
         * List the models of a provider, with its key
         * @description Free: it lists models, and generates nothing. The response contains any failure.
         */
        post: operations["admin_post_api_admin_providers_providerId_test"];
    };
    "/api/admin/explain": {
        /**
         * Explain a request of an account
         * @description Like `x-explain` on the request itself, for any account: nothing is called, held, stored or charged. `suppose` replaces the known health of entries.
         */
        post: operations["admin_post_api_admin_explain"];
    };
    "/api/admin/events": {
        /**
         * Listen to what happens to all requests, as server-sent events
         * @description `request` (`started`, `answering`, `ended`), `attempt` (`sent`, `answered`, `failed`), `settled`, `job`, for operators `circuit`; each with JSON. They are the events of the process that serves the request. For a slow reader, `gap` says how many events were left out. The stream ends when the service stops, and within a second after the credential is no longer accepted.
         */
        get: operations["admin_get_api_admin_events"];
    };
    "/api/admin/config": {
        /**
         * List the settings in force
         * @description Without secrets. `404` if the host of the service does not provide its settings.
         */
        get: operations["admin_get_api_admin_config"];
    };
    "/api/admin/config/catalog": {
        /**
         * Compare the configuration with the stored models
         * @description Reads the file of this process anew, and lists what a reload or a start would add, change and remove: models, entries, prices. Nothing is stored. A file that cannot be used is a list of `problems`.
         */
        get: operations["admin_get_api_admin_config_catalog"];
    };
    "/api/admin/config/reloads": {
        /**
         * List the last reloads
         * @description The last reload of each kind since the start of the process that answers, newest first. `404` if the host of the service does not provide them.
         */
        get: operations["admin_get_api_admin_config_reloads"];
    };
    "/api/admin/generations": {
        /**
         * List the generation records of all accounts, newest first
         * @description Without the texts of requests: `GET /api/admin/generations/{generationId}` returns them.
         */
        get: operations["admin_get_api_admin_generations"];
    };
    "/api/admin/generations/{generationId}": {
        /** Get a generation record of any account with all details */
        get: operations["admin_get_api_admin_generations_generationId"];
    };
    "/api/admin/usage/series": {
        /**
         * Get sums over the generation records of all accounts, or of one, by time
         * @description Sums are of whole hours: `from` is rounded down to the full hour, `to` up. A generation counts in the hour in which it began, once it has ended; a refund does not reduce the cost.
         */
        get: operations["admin_get_api_admin_usage_series"];
    };
    "/api/admin/accounts/{accountId}/api-keys": {
        /** List the API keys, revoked ones included */
        get: operations["admin_get_api_admin_accounts_accountId_api_keys"];
        /** Create an API key; the response contains the raw key */
        post: operations["admin_post_api_admin_accounts_accountId_api_keys"];
    };
    "/api/admin/accounts/{accountId}/api-keys/{keyId}": {
        /** Get an API key */
        get: operations["admin_get_api_admin_accounts_accountId_api_keys_keyId"];
        /** Revoke an API key for good */
        delete: operations["admin_delete_api_admin_accounts_accountId_api_keys_keyId"];
        /** Rename, disable, enable or restrict an API key; null lifts a restriction */
        patch: operations["admin_patch_api_admin_accounts_accountId_api_keys_keyId"];
    };
    "/api/admin/accounts/{accountId}/api-keys/{keyId}/usage-limit": {
        /** Set or clear the spend caps of an API key, in US dollars; null clears one */
        patch: operations["admin_patch_api_admin_accounts_accountId_api_keys_keyId_usage_limit"];
    };
    "/api-keys": {
        /** List the API keys, revoked ones included */
        get: operations["keys_get_api_keys"];
        /** Create an API key; the response contains the raw key */
        post: operations["keys_post_api_keys"];
    };
    "/api-keys/{keyId}": {
        /** Get an API key */
        get: operations["keys_get_api_keys_keyId"];
        /** Revoke an API key for good */
        delete: operations["keys_delete_api_keys_keyId"];
        /** Rename, disable, enable or restrict an API key; null lifts a restriction */
        patch: operations["keys_patch_api_keys_keyId"];
    };
    "/api-keys/{keyId}/usage-limit": {
        /** Set or clear the spend caps of an API key, in US dollars; null clears one */
        patch: operations["keys_patch_api_keys_keyId_usage_limit"];
    };
    "/api-keys/{keyId}/reveal": {
        /**
         * Reveal an API key to a session that signed in recently
         * @description Needs a session younger than 15 minutes, and `keyEncryptionSecrets` of the service.
         */
        post: operations["keys_post_api_keys_keyId_reveal"];
    };
}
export interface webhooks {
    "key.cap_reached": {
        /** Sent to the endpoints of `webhooks` in the configuration */
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "key.cap_reached";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description What a key has spent reaches 80 or 95 percent of a cap: once for each window and limit. */
                        data: {
                            accountId: string;
                            apiKeyId: string;
                            /** @enum {string} */
                            cap: "daily" | "weekly" | "monthly" | "total";
                            /** @description `2026-11-21`, `2026-W47`, `2026-11` or `all`, in UTC. */
                            window: string;
                            /** @description The share of the cap that was reached. */
                            percent: number;
                            /** @description US dollars. */
                            limit: number;
                            /** @description US dollars. */
                            spent: number;
                        };
                    };
                };
            };
            responses: {
                /** @description It was taken. Any other answer has it sent again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                };
            };
        };
    };
    "account.balance_low": {
        /** Sent to the endpoints of `webhooks` in the configuration */
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "account.balance_low";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description A balance falls below a threshold, as often as it was above in between. */
                        data: {
                            accountId: string;
                            /** @description US dollars. */
                            threshold: number;
                            /** @description US dollars. */
                            balance: number;
                        };
                    };
                };
            };
            responses: {
                /** @description It was taken. Any other answer has it sent again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                };
            };
        };
    };
    "job.ended": {
        /** Sent to the endpoints of `webhooks` in the configuration */
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "job.ended";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description An image, video or speech job ended, whatever became of it. */
                        data: {
                            jobId: string;
                            /** @enum {string} */
                            kind: "image" | "video" | "speech";
                            accountId: string;
                            /** @description Absent where a session asked. */
                            apiKeyId?: string;
                            model: string;
                            /** @enum {string} */
                            status: "succeeded" | "failed" | "cancelled";
                            /** @description US dollars. */
                            usdCost: number;
                            /** @description The kind of what went wrong. */
                            error?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description It was taken. Any other answer has it sent again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                };
            };
        };
    };
    "generation.orphaned": {
        /** Sent to the endpoints of `webhooks` in the configuration */
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "generation.orphaned";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description A generation was left behind, and ended without its answer. */
                        data: {
                            generationId: string;
                            accountId: string;
                            /** @description Absent where a session asked. */
                            apiKeyId?: string;
                            model: string;
                            /** @enum {string} */
                            modality: "text" | "image" | "video" | "audio";
                            /**
                             * @description Its process died, or a provider may have worked on it without our hearing of it.
                             * @enum {string}
                             */
                            why: "process_died" | "contact_lost";
                            /** @description What was charged for it. */
                            usdCost: number;
                        };
                    };
                };
            };
            responses: {
                /** @description It was taken. Any other answer has it sent again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                };
            };
        };
    };
    "entry.circuit_opened": {
        /** Sent to the endpoints of `webhooks` in the configuration */
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "entry.circuit_opened";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description A model entry fails, and is passed over: at most once an hour for each entry. */
                        data: {
                            /** @description The neutral id of the model entry. */
                            entry: string;
                            model?: string;
                            provider?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description It was taken. Any other answer has it sent again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                };
            };
        };
    };
}
export interface components {
    schemas: {
        Model: {
            modelId: string;
            /** @description Further names for it; `*` in one stands for any text. */
            aliases?: string[];
            /** @description The id of the model that this name is an alias of. */
            aliasOf?: string;
            name?: string;
            /** @description The providers that serve it. */
            providerIds: string[];
            /**
             * @example [
             *       "text",
             *       "image"
             *     ]
             */
            inputModalities: string[];
            /**
             * @example [
             *       "text",
             *       "image"
             *     ]
             */
            outputModalities: string[];
            isActive: boolean;
            /** @description The number format of its weights, if its server reports it. */
            quantization?: string;
            /** @description True if its server has it in memory; present if the server reports it. */
            isLoaded?: boolean;
            /** @description Grows with every change of the entry. */
            revision: number;
            /** @description The limits that requests to it are checked against. Absent: none. */
            capabilities?: {
                [key: string]: unknown;
            };
            /** @description US dollars per million tokens or characters, `perImage`, `perSecond` and `perRequest`; `tiers` depend on the request, and the first that matches applies. */
            pricing?: {
                /** @constant */
                currency: "USD";
                /** @constant */
                unit: "1M";
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            updatedAt?: string;
        };
        /** @description The shape of all errors of the service itself, on every surface. */
        Envelope: {
            errors: string[];
            status: number;
            /** @constant */
            success: false;
            /** @description Without the query. */
            path: string;
            /** @description Milliseconds since the epoch. */
            timestamp: number;
            /** @description A stable code for the reason; docs/errors.md lists all of them. */
            code: string;
        };
        TextCompletionRequest: {
            model: string;
            messages: {
                /** @enum {string} */
                role: "system" | "user" | "assistant";
                content: string;
            }[];
            temperature?: number | null;
            maxTokens?: number | null;
            topP?: number | null;
            topK?: number | null;
            minP?: number | null;
            topA?: number | null;
            repetitionPenalty?: number | null;
            frequencyPenalty?: number | null;
            presencePenalty?: number | null;
            seed?: number | null;
            stop?: (string | string[]) | null;
            logitBias?: {
                [key: string]: number;
            } | null;
            logprobs?: boolean | null;
            topLogprobs?: number | null;
            verbosity?: string | null;
            tools?: (({
                /** @constant */
                type?: "function";
                function: {
                    name: string;
                    description?: string | null;
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                    strict?: boolean | null;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                type?: "function";
                name: string;
                description?: string | null;
                parameters?: {
                    [key: string]: unknown;
                } | null;
                strict?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | ({
                type: string;
            } & {
                [key: string]: unknown;
            }))[] | null;
            toolChoice?: (string | {
                [key: string]: unknown;
            }) | null;
            parallelToolCalls?: boolean | null;
            responseFormat?: ({
                type: string;
            } & {
                [key: string]: unknown;
            }) | null;
            structuredOutputs?: boolean | null;
            includeReasoning?: boolean | null;
            reasoningEffort?: string | null;
            thinking?: (boolean | {
                [key: string]: unknown;
            }) | null;
            webSearchOptions?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The response with `x-explain: true`. */
        Explanation: {
            /** @enum {string} */
            verdict: "accepted" | "refused";
            /** @description The status with which the request would be refused. */
            status?: number;
            errors?: string[];
            code?: string;
            param?: string;
            account?: string;
            model?: string;
            revision?: number;
            route?: {
                candidates: ({
                    entry: string;
                    /** @description Shown to operators only, like `name`, `rank` and `upstream`. */
                    provider?: string;
                    name?: string;
                    protocol: string;
                    /** @description The values that are compared, the most important first. */
                    rank?: {
                        /** @description The place in `provider.order`, from 0. */
                        order: number | null;
                        /** @description 0: it served the conversation; 1: it can read its seals; 2: neither. */
                        conversation: 0 | 1 | 2;
                        /** @description Whether a pause that it requested is not over. */
                        pause: boolean;
                        /** @description The value for `provider.sort`, if known. */
                        sort: number | null;
                        /** @description Whether it speaks the caller's protocol. */
                        protocol: boolean;
                        priority: number;
                        /** @description The draw of its weight for this conversation, the highest first; null without weights. */
                        weight: number | null;
                        /** @description Failures since its last success. */
                        failures: number;
                        /** @description US dollars. */
                        price: number;
                    };
                    /**
                     * @description The rule that put it after the previous candidate.
                     * @enum {string}
                     */
                    decidedBy?: "order" | "conversation" | "pause" | "sort" | "protocol" | "priority" | "weight" | "failures" | "price" | "file";
                } & {
                    [key: string]: unknown;
                })[];
                skipped: ({
                    entry: string;
                    /** @description Shown to operators only, like `name`, `rank` and `upstream`. */
                    provider?: string;
                    name?: string;
                    why: string;
                    detail?: string;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            };
            /** @description The entry that would be called first. */
            entry?: string;
            /** @enum {string} */
            translation?: "passthrough" | "translated";
            losses?: ({
                path: string;
                why: string;
            } & {
                [key: string]: unknown;
            })[];
            hints?: string[];
            /** @description The request that would be sent. */
            upstream?: {
                method: string;
                path: string;
            } & {
                [key: string]: unknown;
            };
            cost?: {
                /** @constant */
                currency: "USD";
            } & {
                [key: string]: unknown;
            };
            /** @description US dollars. */
            reservation?: number;
            headroom?: {
                /** @description US dollars. */
                balance: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        ImageGenerationRequest: {
            model: string;
            content: ({
                /** @constant */
                type: "text";
                text: string;
            } | {
                /** @constant */
                type: "imageUrl";
                /** Format: uri */
                url: string;
            } | {
                /** @constant */
                type: "imageBase64";
                data: string;
                mediaType?: string;
            } | {
                /** @constant */
                type: "imageAssetId";
                assetId: string;
            })[];
            size?: string;
            numberOfImages?: number;
            guidanceScale?: number;
            /** @enum {string} */
            outputFormat?: "png" | "jpeg" | "webp";
            /** @enum {string} */
            quality?: "auto" | "high" | "medium" | "low";
            /** @enum {string} */
            background?: "transparent" | "opaque" | "auto";
            outputCompression?: number;
            /** @enum {string} */
            responseFormat?: "url" | "b64_json";
            watermark?: boolean;
            optimizePromptOptions?: {
                /** @enum {string} */
                mode?: "standard" | "fast";
            };
            maxTokens?: number;
        };
        ImageJob: {
            generationId: string;
            /** @enum {string} */
            status: "queued" | "processing" | "succeeded" | "failed";
            result?: components["schemas"]["ImageResult"];
            error?: string;
        };
        ImageResult: {
            images: {
                /** @description The provider's URL; it expires. */
                url?: string;
                /** @description A link to the archived output; it expires, read the job for a new one. */
                downloadUrl?: string;
                /** @description The bytes in base64. */
                b64?: string;
                /** @description The asset id of the archived output, for later requests. */
                assetId?: string;
            }[];
            usage?: {
                generatedImages?: number;
                totalTokens?: number;
                inputTokens?: number;
                outputTokens?: number;
                inputImageTokens?: number;
                outputImageTokens?: number;
                usdCost?: number;
            };
        };
        VideoGenerationRequest: {
            model: string;
            content: ({
                /** @constant */
                type: "text";
                text: string;
            } | {
                /** @constant */
                type: "imageUrl";
                /** Format: uri */
                url: string;
                /** @enum {string} */
                role?: "firstFrame" | "lastFrame" | "referenceImage";
            } | {
                /** @constant */
                type: "imageBase64";
                data: string;
                mediaType?: string;
                /** @enum {string} */
                role?: "firstFrame" | "lastFrame" | "referenceImage";
            } | {
                /** @constant */
                type: "imageAssetId";
                assetId: string;
                /** @enum {string} */
                role?: "firstFrame" | "lastFrame" | "referenceImage";
            } | {
                /** @constant */
                type: "videoUrl";
                /** Format: uri */
                url: string;
            } | {
                /** @constant */
                type: "videoBase64";
                data: string;
                mediaType?: string;
            } | {
                /** @constant */
                type: "videoAssetId";
                assetId: string;
            } | {
                /** @constant */
                type: "audioUrl";
                /** Format: uri */
                url: string;
                /** @constant */
                role: "referenceAudio";
            } | {
                /** @constant */
                type: "audioBase64";
                data: string;
                mediaType: string;
            } | {
                /** @constant */
                type: "kycImageAssetId";
                assetId: string;
            } | {
                /** @constant */
                type: "kycVideoAssetId";
                assetId: string;
            } | {
                /** @constant */
                type: "kycAudioAssetId";
                assetId: string;
            })[];
            duration?: number;
            /** @enum {string} */
            resolution?: "480p" | "720p" | "1080p" | "4k";
            ratio?: string;
            generateAudio?: boolean;
            seed?: number;
            watermark?: boolean;
            cameraFixed?: boolean;
            maxTokens?: number;
        };
        VideoEstimate: {
            data: {
                estimatedUserCost: number;
                /** @constant */
                currency: "USD";
            };
            /** @constant */
            success: true;
            /** @constant */
            status: 200;
        };
        VideoTask: {
            taskId: string;
            generationId: string;
            providerId: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            model: string;
            content: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /**
             * @description The content was deleted at the end of the retention time.
             * @constant
             */
            contentKept?: false;
            videoUrl?: string;
            downloadUrl?: string;
            assetId?: string;
            usage?: {
                completionTokens?: number;
                totalTokens?: number;
                usdCost?: number;
                durationSeconds?: number;
                providerUsage?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            error?: string;
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            updatedAt?: string;
        };
        IdentityAssetRequest: {
            /** Format: uri */
            url: string;
            /**
             * @default Image
             * @enum {string}
             */
            assetType: "Image" | "Video" | "Audio";
            name?: string;
        };
        IdentityAsset: {
            assetId: string;
            /** @enum {string} */
            assetType: "Image" | "Video" | "Audio";
            name?: string;
            /** @enum {string} */
            status: "processing" | "active" | "failed";
            errorCode?: string;
            errorMessage?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Voice: {
            voiceType: string;
            name: string;
            /** @enum {string} */
            gender: "male" | "female";
            /** @enum {string} */
            age: "child" | "teenager" | "adult" | "middle-age";
            categories: ("General" | "Dubbing" | "Advertisement" | "AudioBook" | "Conversational" | "Entertainment" | "SocialMedia")[];
            languages: {
                language: string;
                text: string;
                flag: string;
            }[];
            /** Format: uri */
            avatar?: string;
            /** Format: uri */
            trialUrl?: string;
            description?: string;
            /** @enum {string} */
            resourceId: "seed-tts-1.0" | "seed-tts-2.0";
            capabilities: {
                contextTexts: boolean;
            };
        };
        TextToSpeechRequest: {
            voiceType: string;
            text: string;
            /**
             * @default mp3
             * @enum {string}
             */
            format: "mp3" | "ogg_opus" | "pcm";
            /**
             * @default 24000
             * @enum {number}
             */
            sampleRate: 8000 | 16000 | 22050 | 24000 | 32000 | 44100 | 48000;
            /** @default 0 */
            speechRate: number;
            /** @default 0 */
            loudnessRate: number;
            /** @default 0 */
            pitch: number;
            /** @default 0 */
            silenceDuration: number;
            /** @default false */
            enableLanguageDetector: boolean;
            /** @enum {string} */
            explicitLanguage?: "zh" | "zh-cn" | "en" | "ja" | "es" | "es-mx" | "id" | "pt-br" | "ko" | "it" | "de" | "fr";
            /** @default false */
            disableMarkdownFilter: boolean;
            /** @default false */
            disableEmojiFilter: boolean;
            contextTexts?: string[];
        };
        GenerationWithReferenceRequest: {
            /** @constant */
            model: "seed-audio-1.0-multilingual";
            textPrompt: string;
            references?: unknown[];
            /**
             * @default mp3
             * @enum {string}
             */
            format: "mp3" | "wav" | "ogg_opus" | "pcm";
            /** @enum {number} */
            sampleRate?: 8000 | 16000 | 24000 | 32000 | 44100 | 48000;
            /** @default 0 */
            speechRate: number;
            /** @default 0 */
            loudnessRate: number;
            /** @default 0 */
            pitchRate: number;
            /** @default false */
            enableSubtitle: boolean;
        };
        AudioJob: {
            generationId: string;
            /** @enum {string} */
            product: "text-to-speech" | "generation-with-reference";
            /** @enum {string} */
            status: "queued" | "processing" | "succeeded" | "failed";
            audioUrl?: string;
            durationSeconds?: number;
            originalDurationSeconds?: number;
            providerUrl?: string;
            subtitle?: {
                text: string;
                sentences: {
                    text: string;
                    startTime?: number;
                    endTime?: number;
                    words: unknown[];
                }[];
            };
            error?: string;
        };
        GenerationRecord: {
            id: string;
            userId: string;
            apiKeyId?: string;
            /** @enum {string} */
            modality: "text" | "image" | "video" | "audio";
            model: string;
            /** @description The caller's name for the model, where that is an alias. */
            requestedModel?: string;
            /** @enum {string} */
            status: "succeeded" | "failed" | "aborted" | "cancelled" | "pending";
            /** @description The request as received, with media truncated. */
            request?: {
                [key: string]: unknown;
            };
            /**
             * @description In place of `request` if it was not stored or has expired.
             * @constant
             */
            requestKept?: false;
            usage?: {
                [key: string]: unknown;
            };
            usdCost?: number;
            durationMs?: number;
            /** @description The surface that it came by; absent in records of earlier versions. */
            surface?: string;
            /** @description The model entry that served it, by its neutral id. */
            entry?: string;
            /** @description Shown to operators only. */
            provider?: string;
            /** @description The provider's own name for the model; shown to operators only. */
            name?: string;
            translated?: boolean;
            attempts?: ({
                entry: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The parts of the request that the provider's protocol could not express. */
            losses?: {
                path: string;
                /** @enum {string} */
                why: "unsupported" | "approximated";
                detail?: string;
            }[];
            replyLosses?: {
                path: string;
                /** @enum {string} */
                why: "unsupported" | "approximated";
                detail?: string;
            }[];
            /** @description The tags in its `x-tags`. */
            tags?: {
                [key: string]: string;
            };
            /** @description The end user's id in the request. */
            user?: string;
            /** Format: date-time */
            createdAt: string;
        };
        UsageSeries: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            bucket: "hour" | "day" | "week" | "month";
            by?: ("model" | "key" | "modality" | "status" | "surface" | "entry") | string;
            total: components["schemas"]["UsageSums"];
            /** @description Totals of the previous range of the same length. */
            before: components["schemas"]["UsageSums"];
            /** @description The largest first, and the sum of the others at the end. Points without a request are left out. */
            series: {
                /** @description The model, key, modality, status, surface, neutral id of the entry, or value of the tag. Empty for sessions, for surfaces and entries that records of earlier versions lack, and for values of a tag beyond those that are counted separately. Absent for the sum of the others. */
                name?: string;
                /** @description The name of the key or account whose id is `name`. */
                displayName?: string;
                /** @description The number of series in the sum of the others. */
                count?: number;
                total: components["schemas"]["UsageSums"];
                points: {
                    /** Format: date-time */
                    at: string;
                    requests: number;
                    failed: number;
                    usdCost: number;
                    microCost: number;
                    inputTokens: number;
                    outputTokens: number;
                    cacheReadTokens: number;
                    reasoningTokens: number;
                    images: number;
                    seconds: number;
                    characters: number;
                    /** @description The median duration, approximately. */
                    p50Ms?: number;
                    p95Ms?: number;
                }[];
            }[];
        };
        UsageSums: {
            requests: number;
            failed: number;
            usdCost: number;
            microCost: number;
            inputTokens: number;
            outputTokens: number;
            cacheReadTokens: number;
            reasoningTokens: number;
            images: number;
            seconds: number;
            characters: number;
            /** @description The median duration, approximately. */
            p50Ms?: number;
            p95Ms?: number;
        };
        GenerationDetail: {
            id: string;
            userId: string;
            apiKeyId?: string;
            /** @enum {string} */
            modality: "text" | "image" | "video" | "audio";
            model: string;
            /** @description The caller's name for the model, where that is an alias. */
            requestedModel?: string;
            /** @enum {string} */
            status: "succeeded" | "failed" | "aborted" | "cancelled" | "pending";
            /** @description The request as received, with media truncated. */
            request?: {
                [key: string]: unknown;
            };
            /**
             * @description In place of `request` if it was not stored or has expired.
             * @constant
             */
            requestKept?: false;
            usage?: {
                [key: string]: unknown;
            };
            usdCost?: number;
            durationMs?: number;
            /** @description The surface that it came by; absent in records of earlier versions. */
            surface?: string;
            /** @description The model entry that served it, by its neutral id. */
            entry?: string;
            /** @description Shown to operators only. */
            provider?: string;
            /** @description The provider's own name for the model; shown to operators only. */
            name?: string;
            translated?: boolean;
            attempts?: ({
                entry: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The parts of the request that the provider's protocol could not express. */
            losses?: {
                path: string;
                /** @enum {string} */
                why: "unsupported" | "approximated";
                detail?: string;
            }[];
            replyLosses?: {
                path: string;
                /** @enum {string} */
                why: "unsupported" | "approximated";
                detail?: string;
            }[];
            /** @description The tags in its `x-tags`. */
            tags?: {
                [key: string]: string;
            };
            /** @description The end user's id in the request. */
            user?: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Micro-USD per million of each unit. */
            price?: {
                [key: string]: number;
            };
            /** @description The charge in micro-USD. */
            microCost?: number;
            /** @description The sum of `count * rate`, divided by a million and rounded up, is the charge. */
            lines: {
                unit: string;
                count: number;
                /** @description Micro-USD per million. */
                rate: number;
            }[];
            /** @description The entries that could have served it, in order, and the skipped ones with the reason. */
            candidates: ({
                entry: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Time to the first token, and tokens per second. */
            speed?: {
                [key: string]: unknown;
            };
            /** @description Its movements of the account's credit. */
            movements: components["schemas"]["Movement"][];
        };
        Movement: {
            id: string;
            kind: string;
            /** @description Above 0: credit. Below 0: a charge. */
            amount: number;
            generationId?: string;
            /** Format: date-time */
            createdAt: string;
        };
        Job: {
            /** @description The id of the job and of its generation. */
            id: string;
            /** @enum {string} */
            kind: "image" | "video" | "speech";
            model: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description The provider's id of the task. */
            taskId?: string;
            /** @description The content of the request, if it is still stored. */
            content?: {
                [key: string]: unknown;
            }[];
            outputs: {
                /** @description The asset id of the archived file, for later requests. */
                assetId: string;
                mediaType: string;
                /** @description Bytes. */
                size: number;
                /** @description A link that expires; read the job for a new one. */
                downloadUrl: string;
            }[];
            transcript?: string;
            durationSeconds?: number;
            error?: {
                kind: string;
                message: string;
            };
            /** @description Whether its files were deleted at the end of the retention time. */
            isExpired: boolean;
            /** @description Whether the outcome at the provider is unknown; the hold was released. */
            isOrphan: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            deadline: string;
            /** Format: date-time */
            endedAt?: string;
        };
        Account: {
            id: string;
            name: string;
            isActive: boolean;
            creditBalance: number;
            /** @description Credit held for generations that have not ended. */
            held: number;
            login?: string;
            /** Format: date-time */
            createdAt: string;
        };
        KeyInfo: {
            name: string;
            isActive: boolean;
            daily?: {
                limit: number;
                /** @description Spend in the current window. */
                spent: number;
                remaining: number;
            };
            weekly?: {
                limit: number;
                /** @description Spend in the current window. */
                spent: number;
                remaining: number;
            };
            monthly?: {
                limit: number;
                /** @description Spend in the current window. */
                spent: number;
                remaining: number;
            };
            total?: {
                limit: number;
                /** @description Spend in the current window. */
                spent: number;
                remaining: number;
            };
        };
        NewApiKey: {
            id: string;
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            isActive: boolean;
            /** @description Spend caps in US dollars; an absent window has no cap. */
            limits: {
                daily?: number;
                weekly?: number;
                monthly?: number;
                total?: number;
            };
            restrictions?: {
                /** @description Requests in any sixty seconds. */
                requestsPerMinute?: number | null;
                /** @description Input and output tokens in any sixty seconds. */
                tokensPerMinute?: number | null;
                /** @description Requests in flight at one time. */
                concurrentRequests?: number | null;
                /** @description The ids of the models that it may use; `*` matches any text. */
                models?: string[] | null;
                /** @description The surfaces that it may use. */
                surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                /** @description The time at which the key expires. */
                expiresAt?: (string) | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            revokedAt?: string;
            /** @description The raw key. */
            key: string;
        };
        /** @description Never contains the key itself. */
        ApiKey: {
            id: string;
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            isActive: boolean;
            /** @description Spend caps in US dollars; an absent window has no cap. */
            limits: {
                daily?: number;
                weekly?: number;
                monthly?: number;
                total?: number;
            };
            restrictions?: {
                /** @description Requests in any sixty seconds. */
                requestsPerMinute?: number | null;
                /** @description Input and output tokens in any sixty seconds. */
                tokensPerMinute?: number | null;
                /** @description Requests in flight at one time. */
                concurrentRequests?: number | null;
                /** @description The ids of the models that it may use; `*` matches any text. */
                models?: string[] | null;
                /** @description The surfaces that it may use. */
                surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                /** @description The time at which the key expires. */
                expiresAt?: (string) | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            revokedAt?: string;
        };
        BrowserSession: {
            accountId: string;
            name: string;
            login?: string;
            /** Format: date-time */
            expiresAt: string;
        };
        AuditEntry: {
            id: string;
            actor: string;
            action: string;
            accountId?: string;
            subject?: string;
            before?: {
                [key: string]: unknown;
            };
            after?: {
                [key: string]: unknown;
            };
            request?: string;
            address?: string;
            /** Format: date-time */
            createdAt: string;
        };
        ProviderState: {
            id: string;
            host: string;
            protocols: string[];
            hasKey: boolean;
            /** @description Absent where the provider has a single key. */
            credentials?: {
                /** @description As the configuration names it, or its number. */
                name: string;
                weight: number;
                /** @description Calls of this process since its start or the last reload. */
                calls: number;
                /**
                 * @description denied: the provider refused it; cooling: the provider demanded a pause.
                 * @enum {string}
                 */
                state: "ready" | "denied" | "cooling";
                /**
                 * Format: date-time
                 * @description When it is tried again.
                 */
                until?: string;
                /** @description The status that it was refused with. */
                status?: number;
            }[];
            /** @description Absent if the provider has no limit. */
            concurrency?: {
                most: number;
                running: number;
                waiting: number;
            };
            entries: components["schemas"]["EntryState"][];
        };
        EntryState: {
            /** @description The neutral id, as in records. */
            id: string;
            model: string;
            /** @description The provider's own name for the model. */
            name: string;
            priority: number;
            isActive: boolean;
            isModelActive: boolean;
            /**
             * @description The state for all accounts.
             * @enum {string}
             */
            circuit: "closed" | "open" | "half-open";
            failures: number;
            /** @description Accounts for which it is open because of their own failures. */
            openAccounts?: number;
            /**
             * Format: date-time
             * @description When an open circuit allows a request again.
             */
            until?: string;
            /**
             * Format: date-time
             * @description The end of a pause that the provider requested.
             */
            coolingUntil?: string;
            /** @description Milliseconds to the first byte, averaged. */
            latency?: number;
            /** @description Output tokens per second, averaged. */
            throughput?: number;
        };
        OperatorUsageSeries: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            bucket: "hour" | "day" | "week" | "month";
            by?: ("model" | "key" | "modality" | "status" | "surface" | "entry" | "account") | string;
            total: components["schemas"]["UsageSums"];
            /** @description Totals of the previous range of the same length. */
            before: components["schemas"]["UsageSums"];
            /** @description The largest first, and the sum of the others at the end. Points without a request are left out. */
            series: {
                /** @description The model, key, modality, status, surface, neutral id of the entry, or value of the tag. Empty for sessions, for surfaces and entries that records of earlier versions lack, and for values of a tag beyond those that are counted separately. Absent for the sum of the others. */
                name?: string;
                /** @description The name of the key or account whose id is `name`. */
                displayName?: string;
                /** @description The number of series in the sum of the others. */
                count?: number;
                total: components["schemas"]["UsageSums"];
                points: {
                    /** Format: date-time */
                    at: string;
                    requests: number;
                    failed: number;
                    usdCost: number;
                    microCost: number;
                    inputTokens: number;
                    outputTokens: number;
                    cacheReadTokens: number;
                    reasoningTokens: number;
                    images: number;
                    seconds: number;
                    characters: number;
                    /** @description The median duration, approximately. */
                    p50Ms?: number;
                    p95Ms?: number;
                }[];
                /** @description Of an entry in the catalog: its provider, and the provider's own name for the model. */
                served?: {
                    provider: string;
                    name: string;
                };
            }[];
        };
    };
}
export type $defs = Record<string, never>;
export interface operations {
    native_get_api_v1_ai_models: {
        parameters: {
            query?: {
                inputModalities?: "text" | "image" | "file" | "video" | "audio";
                outputModalities?: "text" | "image" | "file" | "video" | "audio" | "embedding";
            };
        };
        responses: {
            /** @description List the active models */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"][];
                };
            };
        };
    };
    native_get_api_v1_ai_models_modelId: {
        parameters: {
            path: {
                modelId: string;
            };
        };
        responses: {
            /** @description Get an active model */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
        };
    };
    native_post_api_v1_text_completions: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextCompletionRequest"];
            };
        };
        responses: {
            /** @description Create a text completion, always streamed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                    "text/event-stream": string;
                };
            };
        };
    };
    native_get_api_v1_ai_schemas_modelId: {
        parameters: {
            query?: {
                /** @description The operation. Default: that of its first output modality. */
                operation?: "text" | "image" | "video" | "speech" | "embed";
                as?: "json-schema" | "typescript";
            };
            path: {
                modelId: string;
            };
        };
        responses: {
            /** @description Get the capabilities of a model as JSON Schema or TypeScript */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        type: "object";
                        properties: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    "text/plain": string;
                };
            };
        };
    };
    native_post_api_v1_image_generations_async: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageGenerationRequest"];
            };
        };
        responses: {
            /** @description The explanation that `x-explain` asks for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            /** @description Create an image job */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageJob"];
                };
            };
        };
    };
    native_post_api_v1_image_generations: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageGenerationRequest"];
            };
        };
        responses: {
            /** @description Generate images and wait for them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageResult"] | components["schemas"]["Explanation"];
                };
            };
        };
    };
    native_get_api_v1_image_generations_async_generationId: {
        parameters: {
            path: {
                /** @description The id in the response to the request that created it. */
                generationId: string;
            };
        };
        responses: {
            /** @description Get an image job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageJob"];
                };
            };
        };
    };
    native_delete_api_v1_image_generations_async_generationId: {
        parameters: {
            path: {
                /** @description The id in the response to the request that created it. */
                generationId: string;
            };
        };
        responses: {
            /** @description Cancel an image job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageJob"];
                };
            };
        };
    };
    native_post_api_v1_video_estimate: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoGenerationRequest"];
            };
        };
        responses: {
            /** @description Estimate the cost of a video */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoEstimate"];
                };
            };
        };
    };
    native_post_api_v1_video_generations: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoGenerationRequest"];
            };
        };
        responses: {
            /** @description Create a video task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoTask"] | components["schemas"]["Explanation"];
                };
            };
        };
    };
    native_get_api_v1_video_tasks_taskId: {
        parameters: {
            path: {
                /** @description The id in the response to the request that created it. */
                taskId: string;
            };
        };
        responses: {
            /** @description Get a video task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoTask"];
                };
            };
        };
    };
    native_delete_api_v1_video_tasks_taskId: {
        parameters: {
            path: {
                /** @description The id in the response to the request that created it. */
                taskId: string;
            };
        };
        responses: {
            /** @description Cancel a video task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoTask"];
                };
            };
        };
    };
    native_get_api_v1_kyc_user_assets: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
            };
        };
        responses: {
            /** @description List the identity assets of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["IdentityAsset"][];
                        total: number;
                        offset: number;
                        limit: number;
                    };
                };
            };
        };
    };
    native_post_api_v1_kyc_user_assets: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityAssetRequest"];
            };
        };
        responses: {
            /** @description Create an identity asset */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityAsset"];
                };
            };
        };
    };
    native_get_api_v1_kyc_user_assets_assetId: {
        parameters: {
            path: {
                assetId: string;
            };
        };
        responses: {
            /** @description Get an identity asset */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityAsset"];
                };
            };
        };
    };
    native_get_api_v1_audio_voices: {
        parameters: {
            query?: {
                gender?: "male" | "female";
                age?: "child" | "teenager" | "adult" | "middle-age";
                category?: "General" | "Dubbing" | "Advertisement" | "AudioBook" | "Conversational" | "Entertainment" | "SocialMedia";
                language?: string;
                resourceId?: "seed-tts-1.0" | "seed-tts-2.0";
            };
        };
        responses: {
            /** @description List the voices */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        voices: components["schemas"]["Voice"][];
                        total: number;
                    };
                };
            };
        };
    };
    native_post_api_v1_audio_text_to_speech: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextToSpeechRequest"];
            };
        };
        responses: {
            /** @description The explanation that `x-explain` asks for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            /** @description Create a text-to-speech job */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        generationId: string;
                    };
                };
            };
        };
    };
    native_post_api_v1_audio_generation_with_reference: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerationWithReferenceRequest"];
            };
        };
        responses: {
            /** @description The explanation that `x-explain` asks for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            /** @description Create a speech job with references */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        generationId: string;
                    };
                };
            };
        };
    };
    native_get_api_v1_audio_generations: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
            };
        };
        responses: {
            /** @description List the finished audio jobs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["AudioJob"][];
                        total: number;
                        offset: number;
                        limit: number;
                    };
                };
            };
        };
    };
    native_get_api_v1_audio_generations_pending: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
            };
        };
        responses: {
            /** @description List the audio jobs that are running */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["AudioJob"][];
                        total: number;
                        offset: number;
                        limit: number;
                    };
                };
            };
        };
    };
    native_get_api_v1_audio_generations_generationId: {
        parameters: {
            path: {
                /** @description The id in the response to the request that created it. */
                generationId: string;
            };
        };
        responses: {
            /** @description Get an audio job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AudioJob"];
                };
            };
        };
    };
    native_delete_api_v1_audio_generations_generationId: {
        parameters: {
            path: {
                /** @description The id in the response to the request that created it. */
                generationId: string;
            };
        };
        responses: {
            /** @description Cancel an audio job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AudioJob"];
                };
            };
        };
    };
    account_get_api_compat_v1_usage: {
        parameters: {
            query?: {
                offset?: number;
                /** @description Up to 100; up to 500 with `after`. */
                limit?: number;
                modality?: "text" | "image" | "video" | "audio";
                status?: "succeeded" | "failed" | "aborted" | "cancelled";
                model?: string;
                /** @description The id of an API key. */
                key?: string;
                /** @description The surface that requests came by: `chatstyle`. */
                surface?: string;
                /** @description The neutral id of the model entry that served them. */
                entry?: string;
                from?: string;
                to?: string;
                /** @description `team:search`; with several, separated by commas, records that have all of them. */
                tag?: string;
                /** @description The id of an end user. */
                user?: string;
                /** @description The `next` of the previous page, or `0` for the first: equally fast at any depth, but without `total`. */
                after?: string;
                /** @description `false` leaves the requests out of the records. */
                request?: "true" | "false";
                format?: "json" | "csv";
            };
        };
        responses: {
            /** @description List the generation records of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["GenerationRecord"][];
                        /** @description Not with `after`. */
                        total?: number;
                        offset?: number;
                        limit: number;
                        /** @description The value of `after` for the next page, if there may be one. */
                        next?: string;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    account_get_api_compat_v1_usage_series: {
        parameters: {
            query?: {
                modality?: "text" | "image" | "video" | "audio";
                status?: "succeeded" | "failed" | "aborted" | "cancelled";
                model?: string;
                /** @description The id of an API key. */
                key?: string;
                /** @description The surface that requests came by: `chatstyle`. */
                surface?: string;
                /** @description The neutral id of the model entry that served them. */
                entry?: string;
                from?: string;
                to?: string;
                /** @description `team:search`: requests with this tag; not together with a split by a tag. */
                tag?: string;
                /** @description In UTC; weeks begin on Monday. */
                bucket?: "hour" | "day" | "week" | "month";
                /** @description `tag:team` splits by the values of the tag `team`, and leaves out requests without it. */
                by?: string | ("model" | "key" | "modality" | "status" | "surface" | "entry");
                /** @description The measure by which the largest series are chosen; every point has every measure. */
                measure?: "spend" | "requests" | "failed" | "inputTokens" | "outputTokens" | "cacheReadTokens" | "reasoningTokens" | "images" | "seconds" | "characters";
                /** @description The number of series that are listed; the others are summed. */
                top?: number;
            };
        };
        responses: {
            /** @description Get sums over the generation records of the account, by time */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSeries"];
                };
            };
        };
    };
    account_get_api_compat_v1_usage_count: {
        parameters: {
            query?: {
                modality?: "text" | "image" | "video" | "audio";
                status?: "succeeded" | "failed" | "aborted" | "cancelled";
                model?: string;
                /** @description The id of an API key. */
                key?: string;
                /** @description The surface that requests came by: `chatstyle`. */
                surface?: string;
                /** @description The neutral id of the model entry that served them. */
                entry?: string;
                from?: string;
                to?: string;
                /** @description `team:search`; with several, separated by commas, records that have all of them. */
                tag?: string;
                /** @description The id of an end user. */
                user?: string;
            };
        };
        responses: {
            /** @description Count the generation records of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                    };
                };
            };
        };
    };
    account_get_api_compat_v1_usage_export: {
        parameters: {
            query?: {
                modality?: "text" | "image" | "video" | "audio";
                status?: "succeeded" | "failed" | "aborted" | "cancelled";
                model?: string;
                /** @description The id of an API key. */
                key?: string;
                /** @description The surface that requests came by: `chatstyle`. */
                surface?: string;
                /** @description The neutral id of the model entry that served them. */
                entry?: string;
                from?: string;
                to?: string;
                /** @description `team:search`; with several, separated by commas, records that have all of them. */
                tag?: string;
                /** @description The id of an end user. */
                user?: string;
                format?: "csv" | "jsonl";
            };
        };
        responses: {
            /** @description Export the generation records of the account as a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/jsonl": string;
                };
            };
        };
    };
    account_get_api_compat_v1_usage_generationId: {
        parameters: {
            path: {
                generationId: string;
            };
        };
        responses: {
            /** @description Get a generation record with its price, its route and its movements of credit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerationDetail"];
                };
            };
        };
    };
    account_get_api_compat_v1_events: {
        parameters: {
            query?: {
                /** @description How long the stream lasts. */
                seconds?: number;
            };
        };
        responses: {
            /** @description Listen to what happens to the account's requests, as server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    account_get_api_compat_v1_jobs: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
                kind?: "image" | "video" | "speech";
                /** @description Only running jobs, or only ended ones. */
                state?: "live" | "ended";
            };
        };
        responses: {
            /** @description List the jobs of all kinds, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["Job"][];
                        total: number;
                        offset: number;
                        limit: number;
                    };
                };
            };
        };
    };
    account_get_api_compat_v1_jobs_generationId: {
        parameters: {
            path: {
                generationId: string;
            };
        };
        responses: {
            /** @description Get a job of any kind */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    account_delete_api_compat_v1_jobs_generationId: {
        parameters: {
            path: {
                generationId: string;
            };
        };
        responses: {
            /** @description Cancel a job of any kind */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    account_get_api_compat_v1_ledger: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
            };
        };
        responses: {
            /** @description List the movements of the account's credit, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["Movement"][];
                        total: number;
                        offset: number;
                        limit: number;
                    };
                };
            };
        };
    };
    account_get_api_compat_v1_account: {
        responses: {
            /** @description Get the account with its balance and holds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    account_get_api_compat_v1_balance: {
        responses: {
            /** @description Get the credit balance of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        creditBalance: number;
                    };
                };
            };
        };
    };
    account_get_api_compat_v1_api_key: {
        responses: {
            /** @description Get name, status and caps of the calling key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyInfo"];
                };
            };
        };
    };
    account_get_api_compat_v1_api_keys: {
        parameters: {
            query?: {
                with?: "spend";
            };
        };
        responses: {
            /** @description List the API keys, revoked ones included */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            id: string;
                            name: string;
                            /** @description The first characters of the key. */
                            prefix: string;
                            isActive: boolean;
                            /** @description Spend caps in US dollars; an absent window has no cap. */
                            limits: {
                                daily?: number;
                                weekly?: number;
                                monthly?: number;
                                total?: number;
                            };
                            restrictions?: {
                                /** @description Requests in any sixty seconds. */
                                requestsPerMinute?: number | null;
                                /** @description Input and output tokens in any sixty seconds. */
                                tokensPerMinute?: number | null;
                                /** @description Requests in flight at one time. */
                                concurrentRequests?: number | null;
                                /** @description The ids of the models that it may use; `*` matches any text. */
                                models?: string[] | null;
                                /** @description The surfaces that it may use. */
                                surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                                /** @description The time at which the key expires. */
                                expiresAt?: (string) | null;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            revokedAt?: string;
                            /** @description Only with `with=spend`. */
                            caps?: {
                                daily?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                weekly?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                monthly?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                total?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                            };
                        }[];
                        total: number;
                    };
                };
            };
        };
    };
    account_post_api_compat_v1_api_keys: {
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    limits?: {
                        daily?: number | null;
                        weekly?: number | null;
                        monthly?: number | null;
                        total?: number | null;
                    };
                    caps?: {
                        daily?: number | null;
                        weekly?: number | null;
                        monthly?: number | null;
                        total?: number | null;
                    };
                    restrictions?: {
                        /** @description Requests in any sixty seconds. */
                        requestsPerMinute?: number | null;
                        /** @description Input and output tokens in any sixty seconds. */
                        tokensPerMinute?: number | null;
                        /** @description Requests in flight at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` matches any text. */
                        models?: string[] | null;
                        /** @description The surfaces that it may use. */
                        surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                        /** @description The time at which the key expires. */
                        expiresAt?: (string) | null;
                    };
                };
            };
        };
        responses: {
            /** @description Create an API key; the response contains the raw key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    account_get_api_compat_v1_api_keys_keyId: {
        parameters: {
            path: {
                keyId: string;
            };
        };
        responses: {
            /** @description Get an API key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    account_delete_api_compat_v1_api_keys_keyId: {
        parameters: {
            path: {
                keyId: string;
            };
        };
        responses: {
            /** @description Revoke an API key for good */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    account_patch_api_compat_v1_api_keys_keyId: {
        parameters: {
            path: {
                keyId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    isActive?: boolean;
                    restrictions?: {
                        /** @description Requests in any sixty seconds. */
                        requestsPerMinute?: number | null;
                        /** @description Input and output tokens in any sixty seconds. */
                        tokensPerMinute?: number | null;
                        /** @description Requests in flight at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` matches any text. */
                        models?: string[] | null;
                        /** @description The surfaces that it may use. */
                        surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                        /** @description The time at which the key expires. */
                        expiresAt?: (string) | null;
                    };
                };
            };
        };
        responses: {
            /** @description Rename, disable, enable or restrict an API key; null lifts a restriction */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    account_patch_api_compat_v1_api_keys_keyId_usage_limit: {
        parameters: {
            path: {
                keyId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    daily?: number | null;
                    weekly?: number | null;
                    monthly?: number | null;
                    total?: number | null;
                };
            };
        };
        responses: {
            /** @description Set or clear the spend caps of an API key, in US dollars; null clears one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        isActive: boolean;
                        daily?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                        weekly?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                        monthly?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                        total?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                    };
                };
            };
        };
    };
    account_post_api_compat_v1_api_keys_keyId_reveal: {
        parameters: {
            path: {
                keyId: string;
            };
        };
        responses: {
            /** @description Reveal an API key to a session that signed in recently */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        key: string;
                    };
                };
            };
        };
    };
    auth_post_api_auth_sign_in: {
        requestBody: {
            content: {
                "application/json": {
                    account: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Sign in with account and password; the response contains a token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                        /** @constant */
                        tokenType: "Bearer";
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
        };
    };
    auth_post_api_auth_sign_out: {
        responses: {
            /** @description Sign out: end the session of the token; other sessions remain */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        signedOut: true;
                    };
                };
            };
        };
    };
    auth_get_api_auth_cookies: {
        responses: {
            /** @description Tell whether browsers keep sessions over plain HTTP */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        insecure: boolean;
                    };
                };
            };
        };
    };
    auth_get_api_auth_session: {
        responses: {
            /** @description Get the session of a browser, and renew it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSession"];
                };
            };
        };
    };
    auth_post_api_auth_session: {
        requestBody: {
            content: {
                "application/json": {
                    account: string;
                    password: string;
                } | {
                    /** @description The secret in a first-run link. */
                    once: string;
                };
            };
        };
        responses: {
            /** @description Sign in a browser by password or first-run link; the response sets a cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSession"];
                };
            };
        };
    };
    auth_delete_api_auth_session: {
        responses: {
            /** @description Sign a browser out; the response clears its cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        signedOut: true;
                    };
                };
            };
        };
    };
    auth_get_api_auth_operator: {
        responses: {
            /** @description Get the name of the operator who is signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        operator: string;
                    };
                };
            };
        };
    };
    auth_post_api_auth_operator: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description The operator's credential. */
                    key: string;
                } | {
                    /** @description The secret in a first-run link. */
                    once: string;
                };
            };
        };
        responses: {
            /** @description Sign an operator in for an hour; the response sets a cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        operator: string;
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
        };
    };
    auth_delete_api_auth_operator: {
        responses: {
            /** @description Sign an operator out; the response clears the cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        signedOut: true;
                    };
                };
            };
        };
    };
    admin_get_api_admin_accounts: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
                with?: "spend";
            };
        };
        responses: {
            /** @description List the accounts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            id: string;
                            name: string;
                            isActive: boolean;
                            creditBalance: number;
                            /** @description Credit held for generations that have not ended. */
                            held: number;
                            login?: string;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description Only with `with=spend`: the cost of its requests of the last 30 days. */
                            spend30Days?: number;
                        }[];
                        total: number;
                        offset: number;
                        limit: number;
                    };
                };
            };
        };
    };
    admin_post_api_admin_accounts: {
        requestBody: {
            content: {
                "application/json": {
                    id?: string;
                    name: string;
                };
            };
        };
        responses: {
            /** @description Create an account */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    admin_get_api_admin_accounts_accountId: {
        parameters: {
            path: {
                accountId: string;
            };
        };
        responses: {
            /** @description Get an account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    admin_patch_api_admin_accounts_accountId: {
        parameters: {
            path: {
                accountId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    isActive?: boolean;
                };
            };
        };
        responses: {
            /** @description Rename, deactivate or activate an account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    admin_post_api_admin_accounts_accountId_credit: {
        parameters: {
            path: {
                accountId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: number;
                    /**
                     * @default topup
                     * @enum {string}
                     */
                    kind?: "topup" | "writeoff";
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description Add credit, once per reference */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        isActive: boolean;
                        creditBalance: number;
                        /** @description Credit held for generations that have not ended. */
                        held: number;
                        login?: string;
                        /** Format: date-time */
                        createdAt: string;
                        reference: string;
                        /** @description False if this reference was credited before. */
                        credited: boolean;
                    };
                };
            };
            /** @description Add credit, once per reference */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        isActive: boolean;
                        creditBalance: number;
                        /** @description Credit held for generations that have not ended. */
                        held: number;
                        login?: string;
                        /** Format: date-time */
                        createdAt: string;
                        reference: string;
                        /** @description False if this reference was credited before. */
                        credited: boolean;
                    };
                };
            };
        };
    };
    admin_post_api_admin_accounts_accountId_refunds: {
        parameters: {
            path: {
                accountId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    generationId: string;
                    /** @description US dollars. Default: the whole charge. */
                    amount?: number;
                };
            };
        };
        responses: {
            /** @description Refund a generation, once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        isActive: boolean;
                        creditBalance: number;
                        /** @description Credit held for generations that have not ended. */
                        held: number;
                        login?: string;
                        /** Format: date-time */
                        createdAt: string;
                        generationId: string;
                        /** @description The refunded amount, now or before. */
                        amount: number;
                        /** @description False if the charge was refunded before. */
                        refunded: boolean;
                    };
                };
            };
            /** @description Refund a generation, once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        isActive: boolean;
                        creditBalance: number;
                        /** @description Credit held for generations that have not ended. */
                        held: number;
                        login?: string;
                        /** Format: date-time */
                        createdAt: string;
                        generationId: string;
                        /** @description The refunded amount, now or before. */
                        amount: number;
                        /** @description False if the charge was refunded before. */
                        refunded: boolean;
                    };
                };
            };
        };
    };
    admin_get_api_admin_audit_log: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
                /** @description The id of an account. */
                account?: string;
                /** @description `operator:NAME`, `account:ID`, `command:USER`, `configuration` or `service`. */
                actor?: string;
                action?: string;
                /** @description The id of a key, model or movement, or the login of a refused sign-in. */
                subject?: string;
                from?: string;
                to?: string;
            };
        };
        responses: {
            /** @description List the audit log, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["AuditEntry"][];
                        total: number;
                        offset: number;
                        limit: number;
                    };
                };
            };
        };
    };
    admin_get_api_admin_accounts_accountId_ledger: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
            };
            path: {
                accountId: string;
            };
        };
        responses: {
            /** @description List the ledger of an account, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["Movement"][];
                        total: number;
                        offset: number;
                        limit: number;
                    };
                };
            };
        };
    };
    admin_post_api_admin_accounts_accountId_password: {
        parameters: {
            path: {
                accountId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    login?: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Set the login and password of an account; its sessions end */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    admin_get_api_admin_audit: {
        responses: {
            /** @description Audit the books: recompute every balance and every charge */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        differences: {
                            [key: string]: unknown;
                        }[];
                        /** @description Totals of all accounts. `given - charged + refunded` is `balances`; `held` is a part of the balances. */
                        totals: {
                            given: number;
                            charged: number;
                            refunded: number;
                            balances: number;
                            held: number;
                            records: number;
                        };
                        /** @description Duration in milliseconds. */
                        ms: number;
                    };
                };
            };
        };
    };
    admin_get_api_admin_books: {
        parameters: {
            query?: {
                /** @description Default: 30 days ago. */
                from?: string;
            };
        };
        responses: {
            /** @description List credit, charges and refunds of each day, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            /** Format: date */
                            day: string;
                            given: number;
                            /** @description Charges minus corrections. */
                            charged: number;
                            refunded: number;
                        }[];
                        /** Format: date-time */
                        from: string;
                    };
                };
            };
        };
    };
    admin_get_api_admin_state: {
        responses: {
            /** @description Get the state of providers and model entries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The process that served the request, and whose circuits and loads these are. */
                        process: string;
                        /** Format: date-time */
                        at: string;
                        providers: components["schemas"]["ProviderState"][];
                        /** @description Providers in the catalog that this process does not know. */
                        unknownProviders: {
                            id: string;
                            entries: components["schemas"]["EntryState"][];
                        }[];
                    };
                };
            };
        };
    };
    admin_post_api_admin_circuits_entryId_reset: {
        parameters: {
            path: {
                entryId: string;
            };
        };
        responses: {
            /** @description Close the circuits of a model entry and end its pause */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryState"];
                };
            };
        };
    };
    admin_post_api_admin_entries_entryId: {
        parameters: {
            path: {
                entryId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    isActive: boolean;
                };
            };
        };
        responses: {
            /** @description Pause or resume a model entry */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryState"];
                };
            };
        };
    };
    admin_post_api_admin_providers_providerId_test: {
        parameters: {
            path: {
                providerId: string;
            };
        };
        responses: {
            /** @description List the models of a provider, with its key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        isReached: boolean;
                        ms: number;
                        /** @description The models that it lists for its key, by its own names. */
                        models: string[];
                        error?: string;
                    };
                };
            };
        };
    };
    admin_post_api_admin_explain: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description The account of the request. */
                    accountId: string;
                    /** @description A key of the account. Default: none. */
                    keyId?: string;
                    /** @description The path of a route that supports `x-explain`. */
                    path: string;
                    body: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Assumed health of entries by id, in place of what the process knows.
                     * @default {}
                     */
                    suppose?: {
                        [key: string]: {
                            /** @enum {string} */
                            circuit?: "closed" | "open" | "half-open";
                            failures?: number;
                            /** @description Milliseconds to the first byte. */
                            latency?: number;
                            /** @description Output tokens per second. */
                            throughput?: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Explain a request of an account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        verdict: "accepted" | "refused";
                        /** @description The status with which the request would be refused. */
                        status?: number;
                        errors?: string[];
                        code?: string;
                        param?: string;
                        account?: string;
                        model?: string;
                        revision?: number;
                        route?: {
                            candidates: ({
                                entry: string;
                                /** @description Shown to operators only, like `name`, `rank` and `upstream`. */
                                provider?: string;
                                name?: string;
                                protocol: string;
                                /** @description The values that are compared, the most important first. */
                                rank?: {
                                    /** @description The place in `provider.order`, from 0. */
                                    order: number | null;
                                    /** @description 0: it served the conversation; 1: it can read its seals; 2: neither. */
                                    conversation: 0 | 1 | 2;
                                    /** @description Whether a pause that it requested is not over. */
                                    pause: boolean;
                                    /** @description The value for `provider.sort`, if known. */
                                    sort: number | null;
                                    /** @description Whether it speaks the caller's protocol. */
                                    protocol: boolean;
                                    priority: number;
                                    /** @description The draw of its weight for this conversation, the highest first; null without weights. */
                                    weight: number | null;
                                    /** @description Failures since its last success. */
                                    failures: number;
                                    /** @description US dollars. */
                                    price: number;
                                };
                                /**
                                 * @description The rule that put it after the previous candidate.
                                 * @enum {string}
                                 */
                                decidedBy?: "order" | "conversation" | "pause" | "sort" | "protocol" | "priority" | "weight" | "failures" | "price" | "file";
                            } & {
                                [key: string]: unknown;
                            })[];
                            skipped: ({
                                entry: string;
                                /** @description Shown to operators only, like `name`, `rank` and `upstream`. */
                                provider?: string;
                                name?: string;
                                why: string;
                                detail?: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description The entry that would be called first. */
                        entry?: string;
                        /** @enum {string} */
                        translation?: "passthrough" | "translated";
                        losses?: ({
                            path: string;
                            why: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        hints?: string[];
                        /** @description The request that would be sent. */
                        upstream?: {
                            method: string;
                            path: string;
                        } & {
                            [key: string]: unknown;
                        };
                        cost?: {
                            /** @constant */
                            currency: "USD";
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description US dollars. */
                        reservation?: number;
                        headroom?: {
                            /** @description US dollars. */
                            balance: number;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description All entries of the model, in their state for the account. */
                        entries: {
                            /** @description The neutral id, as in records. */
                            id: string;
                            model: string;
                            /** @description The provider's own name for the model. */
                            name: string;
                            priority: number;
                            isActive: boolean;
                            isModelActive: boolean;
                            /**
                             * @description The state for all accounts.
                             * @enum {string}
                             */
                            circuit: "closed" | "open" | "half-open";
                            failures: number;
                            /** @description Accounts for which it is open because of their own failures. */
                            openAccounts?: number;
                            /**
                             * Format: date-time
                             * @description When an open circuit allows a request again.
                             */
                            until?: string;
                            /**
                             * Format: date-time
                             * @description The end of a pause that the provider requested.
                             */
                            coolingUntil?: string;
                            /** @description Milliseconds to the first byte, averaged. */
                            latency?: number;
                            /** @description Output tokens per second, averaged. */
                            throughput?: number;
                            provider: string;
                            /** @description As in the list of models. */
                            pricing?: {
                                [key: string]: unknown;
                            };
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    admin_get_api_admin_events: {
        parameters: {
            query?: {
                /** @description How long the stream lasts. */
                seconds?: number;
            };
        };
        responses: {
            /** @description Listen to what happens to all requests, as server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    admin_get_api_admin_config: {
        responses: {
            /** @description List the settings in force */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        settings: {
                            path: string;
                            /** @description For a secret, the beginning of its SHA-256. */
                            value: unknown;
                            isDefault: boolean;
                            /**
                             * @description When a change of it takes effect: at a reload (SIGHUP), or at the next start.
                             * @enum {string}
                             */
                            effect?: "reload" | "restart";
                            /** @description The value of the file that was read last, if it waits for a restart; null: it was removed. */
                            pending?: unknown;
                            /** @description What it is for. */
                            about?: string;
                            /** @description Where the value stands. Absent: it is a default, or the service's own. */
                            origin?: {
                                file?: string;
                                line?: number;
                                /** @description Environment variables that the value is made of. */
                                variables?: string[];
                            };
                        }[];
                    };
                };
            };
        };
    };
    admin_get_api_admin_config_catalog: {
        responses: {
            /** @description Compare the configuration with the stored models */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        problems: string[];
                        changes: {
                            model: string;
                            /** @description Provider and name there; absent for the model as a whole. */
                            entry?: string;
                            /** @enum {string} */
                            what: "added" | "changed" | "removed";
                            /** @description `price.input`; absent where the whole is added or removed. */
                            field?: string;
                            /** @description Prices in US dollars. */
                            before?: unknown;
                            after?: unknown;
                        }[];
                    };
                };
            };
        };
    };
    admin_get_api_admin_config_reloads: {
        responses: {
            /** @description List the last reloads */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reloads: {
                            /**
                             * @description `signal`: the configuration was read again after a SIGHUP. `catalog`: another process or a command changed the stored models.
                             * @enum {string}
                             */
                            by: "signal" | "catalog";
                            /** Format: date-time */
                            at: string;
                            /** @description False: it was refused, and the service continues as before. */
                            isApplied: boolean;
                            /** @description The ids of the changed models, as far as the process knows them. */
                            changed: string[];
                            /** @description Errors and warnings with `file:line:column`, and the answers of activated providers. */
                            findings: string[];
                        }[];
                    };
                };
            };
        };
    };
    admin_get_api_admin_generations: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `next` of the previous page. */
                before?: string;
                /** @description The id of an account. */
                account?: string;
                modality?: "text" | "image" | "video" | "audio";
                status?: "succeeded" | "failed" | "aborted" | "cancelled";
                model?: string;
                /** @description The surface that requests came by: `chatstyle`. */
                surface?: string;
                /** @description The neutral id of the model entry that served them. */
                entry?: string;
                /** @description `team:search`; with several, separated by commas, records that have all of them. */
                tag?: string;
                /** @description The id of an end user. */
                user?: string;
                from?: string;
                to?: string;
            };
        };
        responses: {
            /** @description List the generation records of all accounts, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["GenerationRecord"][];
                        /** @description Send it as `before` for the records before these. */
                        next?: string;
                    };
                };
            };
        };
    };
    admin_get_api_admin_generations_generationId: {
        parameters: {
            path: {
                generationId: string;
            };
        };
        responses: {
            /** @description Get a generation record of any account with all details */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerationDetail"];
                };
            };
        };
    };
    admin_get_api_admin_usage_series: {
        parameters: {
            query?: {
                modality?: "text" | "image" | "video" | "audio";
                status?: "succeeded" | "failed" | "aborted" | "cancelled";
                model?: string;
                /** @description The id of an API key. */
                key?: string;
                /** @description The surface that requests came by: `chatstyle`. */
                surface?: string;
                /** @description The neutral id of the model entry that served them. */
                entry?: string;
                from?: string;
                to?: string;
                /** @description `team:search`: requests with this tag; not together with a split by a tag. */
                tag?: string;
                /** @description In UTC; weeks begin on Monday. */
                bucket?: "hour" | "day" | "week" | "month";
                /** @description `tag:team` splits by the values of the tag `team`, and leaves out requests without it. */
                by?: string | ("model" | "key" | "modality" | "status" | "surface" | "entry" | "account");
                /** @description The measure by which the largest series are chosen; every point has every measure. */
                measure?: "spend" | "requests" | "failed" | "inputTokens" | "outputTokens" | "cacheReadTokens" | "reasoningTokens" | "images" | "seconds" | "characters";
                /** @description The number of series that are listed; the others are summed. */
                top?: number;
                /** @description The id of an account. */
                account?: string;
            };
        };
        responses: {
            /** @description Get sums over the generation records of all accounts, or of one, by time */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorUsageSeries"];
                };
            };
        };
    };
    admin_get_api_admin_accounts_accountId_api_keys: {
        parameters: {
            query?: {
                with?: "spend";
            };
            path: {
                accountId: string;
            };
        };
        responses: {
            /** @description List the API keys, revoked ones included */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            id: string;
                            name: string;
                            /** @description The first characters of the key. */
                            prefix: string;
                            isActive: boolean;
                            /** @description Spend caps in US dollars; an absent window has no cap. */
                            limits: {
                                daily?: number;
                                weekly?: number;
                                monthly?: number;
                                total?: number;
                            };
                            restrictions?: {
                                /** @description Requests in any sixty seconds. */
                                requestsPerMinute?: number | null;
                                /** @description Input and output tokens in any sixty seconds. */
                                tokensPerMinute?: number | null;
                                /** @description Requests in flight at one time. */
                                concurrentRequests?: number | null;
                                /** @description The ids of the models that it may use; `*` matches any text. */
                                models?: string[] | null;
                                /** @description The surfaces that it may use. */
                                surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                                /** @description The time at which the key expires. */
                                expiresAt?: (string) | null;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            revokedAt?: string;
                            /** @description Only with `with=spend`. */
                            caps?: {
                                daily?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                weekly?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                monthly?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                total?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                            };
                        }[];
                        total: number;
                    };
                };
            };
        };
    };
    admin_post_api_admin_accounts_accountId_api_keys: {
        parameters: {
            path: {
                accountId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    limits?: {
                        daily?: number | null;
                        weekly?: number | null;
                        monthly?: number | null;
                        total?: number | null;
                    };
                    caps?: {
                        daily?: number | null;
                        weekly?: number | null;
                        monthly?: number | null;
                        total?: number | null;
                    };
                    restrictions?: {
                        /** @description Requests in any sixty seconds. */
                        requestsPerMinute?: number | null;
                        /** @description Input and output tokens in any sixty seconds. */
                        tokensPerMinute?: number | null;
                        /** @description Requests in flight at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` matches any text. */
                        models?: string[] | null;
                        /** @description The surfaces that it may use. */
                        surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                        /** @description The time at which the key expires. */
                        expiresAt?: (string) | null;
                    };
                };
            };
        };
        responses: {
            /** @description Create an API key; the response contains the raw key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    admin_get_api_admin_accounts_accountId_api_keys_keyId: {
        parameters: {
            path: {
                accountId: string;
                keyId: string;
            };
        };
        responses: {
            /** @description Get an API key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    admin_delete_api_admin_accounts_accountId_api_keys_keyId: {
        parameters: {
            path: {
                accountId: string;
                keyId: string;
            };
        };
        responses: {
            /** @description Revoke an API key for good */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    admin_patch_api_admin_accounts_accountId_api_keys_keyId: {
        parameters: {
            path: {
                accountId: string;
                keyId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    isActive?: boolean;
                    restrictions?: {
                        /** @description Requests in any sixty seconds. */
                        requestsPerMinute?: number | null;
                        /** @description Input and output tokens in any sixty seconds. */
                        tokensPerMinute?: number | null;
                        /** @description Requests in flight at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` matches any text. */
                        models?: string[] | null;
                        /** @description The surfaces that it may use. */
                        surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                        /** @description The time at which the key expires. */
                        expiresAt?: (string) | null;
                    };
                };
            };
        };
        responses: {
            /** @description Rename, disable, enable or restrict an API key; null lifts a restriction */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    admin_patch_api_admin_accounts_accountId_api_keys_keyId_usage_limit: {
        parameters: {
            path: {
                accountId: string;
                keyId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    daily?: number | null;
                    weekly?: number | null;
                    monthly?: number | null;
                    total?: number | null;
                };
            };
        };
        responses: {
            /** @description Set or clear the spend caps of an API key, in US dollars; null clears one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        isActive: boolean;
                        daily?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                        weekly?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                        monthly?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                        total?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                    };
                };
            };
        };
    };
    keys_get_api_keys: {
        parameters: {
            query?: {
                with?: "spend";
            };
        };
        responses: {
            /** @description List the API keys, revoked ones included */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            id: string;
                            name: string;
                            /** @description The first characters of the key. */
                            prefix: string;
                            isActive: boolean;
                            /** @description Spend caps in US dollars; an absent window has no cap. */
                            limits: {
                                daily?: number;
                                weekly?: number;
                                monthly?: number;
                                total?: number;
                            };
                            restrictions?: {
                                /** @description Requests in any sixty seconds. */
                                requestsPerMinute?: number | null;
                                /** @description Input and output tokens in any sixty seconds. */
                                tokensPerMinute?: number | null;
                                /** @description Requests in flight at one time. */
                                concurrentRequests?: number | null;
                                /** @description The ids of the models that it may use; `*` matches any text. */
                                models?: string[] | null;
                                /** @description The surfaces that it may use. */
                                surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                                /** @description The time at which the key expires. */
                                expiresAt?: (string) | null;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            revokedAt?: string;
                            /** @description Only with `with=spend`. */
                            caps?: {
                                daily?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                weekly?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                monthly?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                total?: {
                                    limit: number;
                                    /** @description Spend in the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                            };
                        }[];
                        total: number;
                    };
                };
            };
        };
    };
    keys_post_api_keys: {
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    limits?: {
                        daily?: number | null;
                        weekly?: number | null;
                        monthly?: number | null;
                        total?: number | null;
                    };
                    caps?: {
                        daily?: number | null;
                        weekly?: number | null;
                        monthly?: number | null;
                        total?: number | null;
                    };
                    restrictions?: {
                        /** @description Requests in any sixty seconds. */
                        requestsPerMinute?: number | null;
                        /** @description Input and output tokens in any sixty seconds. */
                        tokensPerMinute?: number | null;
                        /** @description Requests in flight at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` matches any text. */
                        models?: string[] | null;
                        /** @description The surfaces that it may use. */
                        surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                        /** @description The time at which the key expires. */
                        expiresAt?: (string) | null;
                    };
                };
            };
        };
        responses: {
            /** @description Create an API key; the response contains the raw key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    keys_get_api_keys_keyId: {
        parameters: {
            path: {
                keyId: string;
            };
        };
        responses: {
            /** @description Get an API key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    keys_delete_api_keys_keyId: {
        parameters: {
            path: {
                keyId: string;
            };
        };
        responses: {
            /** @description Revoke an API key for good */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    keys_patch_api_keys_keyId: {
        parameters: {
            path: {
                keyId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    isActive?: boolean;
                    restrictions?: {
                        /** @description Requests in any sixty seconds. */
                        requestsPerMinute?: number | null;
                        /** @description Input and output tokens in any sixty seconds. */
                        tokensPerMinute?: number | null;
                        /** @description Requests in flight at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` matches any text. */
                        models?: string[] | null;
                        /** @description The surfaces that it may use. */
                        surfaces?: ("native" | "chatstyle" | "msgstyle" | "genstyle")[] | null;
                        /** @description The time at which the key expires. */
                        expiresAt?: (string) | null;
                    };
                };
            };
        };
        responses: {
            /** @description Rename, disable, enable or restrict an API key; null lifts a restriction */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    keys_patch_api_keys_keyId_usage_limit: {
        parameters: {
            path: {
                keyId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    daily?: number | null;
                    weekly?: number | null;
                    monthly?: number | null;
                    total?: number | null;
                };
            };
        };
        responses: {
            /** @description Set or clear the spend caps of an API key, in US dollars; null clears one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        isActive: boolean;
                        daily?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                        weekly?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                        monthly?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                        total?: {
                            limit: number;
                            /** @description Spend in the current window. */
                            spent: number;
                            remaining: number;
                        };
                    };
                };
            };
        };
    };
    keys_post_api_keys_keyId_reveal: {
        parameters: {
            path: {
                keyId: string;
            };
        };
        responses: {
            /** @description Reveal an API key to a session that signed in recently */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        key: string;
                    };
                };
            };
        };
    };
}
