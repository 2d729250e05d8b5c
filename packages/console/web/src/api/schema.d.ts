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
         * @description The schema of a native request's parameters and content, made from the capabilities that requests are checked against. A model without capabilities takes anything.
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
        /** Read an image job */
        get: operations["native_get_api_v1_image_generations_async_generationId"];
        /**
         * Give an image job up
         * @description What the provider has begun may end, and be charged, all the same.
         */
        delete: operations["native_delete_api_v1_image_generations_async_generationId"];
    };
    "/api/v1/video/estimate": {
        /**
         * Estimate the cost of a video
         * @description Takes the body of a generation. Nothing is deducted and nothing is kept; the final charge is known when it is done.
         */
        post: operations["native_post_api_v1_video_estimate"];
    };
    "/api/v1/video/generations": {
        /**
         * Create a video task
         * @description Answers once the provider has taken the work; poll the task until its `status` is an end.
         */
        post: operations["native_post_api_v1_video_generations"];
    };
    "/api/v1/video/tasks/{taskId}": {
        /** Read a video task */
        get: operations["native_get_api_v1_video_tasks_taskId"];
        /**
         * Cancel a video task
         * @description What the provider has begun may end, and be charged, all the same.
         */
        delete: operations["native_delete_api_v1_video_tasks_taskId"];
    };
    "/api/v1/kyc/user/assets": {
        /** List the identity assets of the account */
        get: operations["native_get_api_v1_kyc_user_assets"];
        /**
         * Create an identity asset
         * @description The file is fetched and checked afterwards: poll the asset until its `status` is `active` or `failed`. It costs nothing.
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
         * Order a reading
         * @description Poll the job until its `status` is `succeeded` or `failed`.
         */
        post: operations["native_post_api_v1_audio_text_to_speech"];
    };
    "/api/v1/audio/generation-with-reference": {
        /**
         * Order speech by references
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
        /** Read an audio job */
        get: operations["native_get_api_v1_audio_generations_generationId"];
        /**
         * Give an audio job up
         * @description What the provider has begun may end, and be charged, all the same.
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
         * @description Of whole hours: `from` is taken down to the full hour, `to` up. A generation counts in the hour in which it began, once it has ended; a refund does not lessen the cost.
         */
        get: operations["account_get_api_compat_v1_usage_series"];
    };
    "/api/compat/v1/usage/{generationId}": {
        /** Get a generation record with its price, its way and its movements of credit */
        get: operations["account_get_api_compat_v1_usage_generationId"];
    };
    "/api/compat/v1/events": {
        /**
         * Listen to what happens to the account's requests, as server-sent events
         * @description `request` (`started`, `answering`, `ended`), `attempt` (`sent`, `answered`, `failed`), `settled`, `job`, for operators `circuit`; each with JSON. They come from the process that answers. A reader that is too slow is told by `gap` how many events were left out. The answer ends when the service stops, and when the credential that asked is no longer accepted.
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
         * @description Its links are made anew with every read.
         */
        get: operations["account_get_api_compat_v1_jobs_generationId"];
        /**
         * Give a job of any kind up
         * @description What the provider has begun may end, and be charged, all the same.
         */
        delete: operations["account_delete_api_compat_v1_jobs_generationId"];
    };
    "/api/compat/v1/ledger": {
        /** List the movements of the account's credit, newest first */
        get: operations["account_get_api_compat_v1_ledger"];
    };
    "/api/compat/v1/account": {
        /** Get the account with what is held of its credit */
        get: operations["account_get_api_compat_v1_account"];
    };
    "/api/compat/v1/balance": {
        /** Get the credit balance of the account */
        get: operations["account_get_api_compat_v1_balance"];
    };
    "/api/compat/v1/api-key": {
        /**
         * Get name, status and caps of the calling key
         * @description By `x-api-key` only; a session has no key and gets a `403`.
         */
        get: operations["account_get_api_compat_v1_api_key"];
    };
    "/api/compat/v1/api-keys": {
        /** List the API keys, revoked ones included */
        get: operations["account_get_api_compat_v1_api_keys"];
        /** Create an API key; the answer holds the raw key */
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
         * @description Needs a session younger than 15 minutes, and a service that keeps keys sealed.
         */
        post: operations["account_post_api_compat_v1_api_keys_keyId_reveal"];
    };
    "/api/auth/sign-in": {
        /**
         * Sign in with account and password; the answer holds a token
         * @description Wrong tries are counted for the login and for the network. After ten for a login each further one has to wait, twice as long as the one before, 15 minutes at most: `429`. The content type has to be `application/json`.
         */
        post: operations["auth_post_api_auth_sign_in"];
    };
    "/api/auth/sign-out": {
        /** Sign out: end the session of the token; others go on */
        post: operations["auth_post_api_auth_sign_out"];
    };
    "/api/auth/session": {
        /**
         * Get the session of a browser, and renew it
         * @description For the console's own pages: the session is kept in a cookie that scripts cannot read, and every change needs `x-console: 1` and a request of the same origin.
         */
        get: operations["auth_get_api_auth_session"];
        /**
         * Sign in a browser by password or first-run link; the answer sets a cookie
         * @description For the console's own pages: the session is kept in a cookie that scripts cannot read, and every change needs `x-console: 1` and a request of the same origin.
         */
        post: operations["auth_post_api_auth_session"];
        /** Sign a browser out; the answer ends its cookie */
        delete: operations["auth_delete_api_auth_session"];
    };
    "/api/auth/operator": {
        /** Get the name of the operator who is signed in */
        get: operations["auth_get_api_auth_operator"];
        /**
         * Sign an operator in for an hour; the answer sets a cookie
         * @description For the console's own pages: the session is kept in a cookie that scripts cannot read, and every change needs `x-console: 1` and a request of the same origin.
         */
        post: operations["auth_post_api_auth_operator"];
        /** Sign an operator out; the answer ends the cookie */
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
         * Add credit, once for each reference
         * @description `201` where it was added, `200` where just this was credited under the reference before, and `409` where something else was.
         */
        post: operations["admin_post_api_admin_accounts_accountId_credit"];
    };
    "/api/admin/accounts/{accountId}/refunds": {
        /**
         * Refund a generation, once
         * @description `201` if it is refunded now, `200` if it was before. It frees no spend cap.
         */
        post: operations["admin_post_api_admin_accounts_accountId_refunds"];
    };
    "/api/admin/audit-log": {
        /**
         * List the audit log, newest first
         * @description Keys, accounts, caps, credit, models and configuration, with what was there before and after; amounts in micro-USD. Refused sign-ins and operator credentials are kept for 90 days.
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
         * List what was given, charged and refunded on each day, newest first
         * @description Days are in UTC; those on which nothing moved are left out. It reads every movement of the range.
         */
        get: operations["admin_get_api_admin_books"];
    };
    "/api/admin/state": {
        /**
         * Get the state of providers and model entries
         * @description Circuits, speeds and loads are those of the process that answers; `process` names it.
         */
        get: operations["admin_get_api_admin_state"];
    };
    "/api/admin/circuits/{entryId}/reset": {
        /**
         * Close the circuits of a model entry and end its pause
         * @description In the process that answers. Whether it works is for the next requests to find out.
         */
        post: operations["admin_post_api_admin_circuits_entryId_reset"];
    };
    "/api/admin/entries/{entryId}": {
        /**
         * Pause a model entry, or let it serve again
         * @description Stored with the model: every process takes it over within seconds. The next start or reload stores what the configuration says.
         */
        post: operations["admin_post_api_admin_entries_entryId"];
    };
    "/api/admin/providers/{providerId}/test": {
        /**
         * Ask a provider for its models, with its key
         * @description Costs nothing: it lists models, and generates nothing. A failure is told in the answer.
         */
        post: operations["admin_post_api_admin_providers_providerId_test"];
    };
    "/api/admin/explain": {
        /**
         * Explain what would become of an account's request
         * @description As `x-explain` on the request itself, for any account: nothing is called, held, stored or charged. `suppose` says what to take entries for that are well, slow or failing.
         */
        post: operations["admin_post_api_admin_explain"];
    };
    "/api/admin/events": {
        /**
         * Listen to what happens to all requests, as server-sent events
         * @description `request` (`started`, `answering`, `ended`), `attempt` (`sent`, `answered`, `failed`), `settled`, `job`, for operators `circuit`; each with JSON. They come from the process that answers. A reader that is too slow is told by `gap` how many events were left out. The answer ends when the service stops, and when the credential that asked is no longer accepted.
         */
        get: operations["admin_get_api_admin_events"];
    };
    "/api/admin/config": {
        /**
         * List the settings in force
         * @description Without secrets. `404` where the application around the service says nothing of its settings.
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
    "/api/admin/generations": {
        /**
         * List the generation records of all accounts, newest first
         * @description Without the texts of requests: `GET /api/admin/generations/{generationId}` has them.
         */
        get: operations["admin_get_api_admin_generations"];
    };
    "/api/admin/generations/{generationId}": {
        /** Get a generation record of any account in depth */
        get: operations["admin_get_api_admin_generations_generationId"];
    };
    "/api/admin/accounts/{accountId}/api-keys": {
        /** List the API keys, revoked ones included */
        get: operations["admin_get_api_admin_accounts_accountId_api_keys"];
        /** Create an API key; the answer holds the raw key */
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
        /** Create an API key; the answer holds the raw key */
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
         * @description Needs a session younger than 15 minutes, and a service that keeps keys sealed.
         */
        post: operations["keys_post_api_keys_keyId_reveal"];
    };
}
export type webhooks = Record<string, never>;
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
            /** @description True if its server has it in memory; present if the server reports that. */
            isLoaded?: boolean;
            /** @description Grows with every change of the entry. */
            revision: number;
            /** @description The limits that requests to it are checked against. Absent: none. */
            capabilities?: {
                [key: string]: unknown;
            };
            /** @description US dollars per million tokens or characters, `perImage`, `perSecond` and `perRequest`; in `tiers` by what is asked for, the first that fits. */
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
        /** @description What the service itself refuses is told in this shape, everywhere. */
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
        /** @description With `x-explain: true`, in place of the answer. */
        Explanation: {
            /** @enum {string} */
            verdict: "accepted" | "refused";
            /** @description The refusal that the request would meet. */
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
                    /** @description What it is ordered by, the most important first. */
                    rank?: {
                        /** @description The place in `provider.order`, from 0. */
                        order: number | null;
                        /** @description 0: it served the conversation; 1: it can read its seals; 2: neither. */
                        conversation: 0 | 1 | 2;
                        /** @description It asked for a pause that is not over. */
                        pause: boolean;
                        /** @description What `provider.sort` asks for, where that is known. */
                        sort: number | null;
                        /** @description It speaks the caller's protocol. */
                        protocol: boolean;
                        priority: number;
                        /** @description The draw of its weight for this conversation, the highest first; null without weights. */
                        weight: number | null;
                        /** @description Since its last success. */
                        failures: number;
                        /** @description US dollars. */
                        price: number;
                    };
                    /**
                     * @description The rule by which it comes after the candidate before it.
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
                /** @description The provider's address; it expires. */
                url?: string;
                /** @description A link to the archived output; it expires, read the job for a new one. */
                downloadUrl?: string;
                /** @description The bytes in base64. */
                b64?: string;
                /** @description Of the archived output: a later request can name it. */
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
             * @description The content was deleted when the time for keeping request texts was over.
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
            /** @description The request as it came, with media cut short. */
            request?: {
                [key: string]: unknown;
            };
            /**
             * @description In place of `request` where that is not kept, or no longer.
             * @constant
             */
            requestKept?: false;
            usage?: {
                [key: string]: unknown;
            };
            usdCost?: number;
            durationMs?: number;
            /** @description The model entry that served it, by its neutral id. */
            entry?: string;
            /** @description Shown to operators alone. */
            provider?: string;
            /** @description The provider's own name for the model; shown to operators alone. */
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
            /** @description Of its `x-tags`. */
            tags?: {
                [key: string]: string;
            };
            /** @description The id of the end user that the request named. */
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
            by?: ("model" | "key" | "modality" | "status") | string;
            total: components["schemas"]["UsageSums"];
            /** @description Of the range before, which is as long. */
            before: components["schemas"]["UsageSums"];
            /** @description The greatest first, and the others as one at the end. Points without a request are left out. */
            series: {
                /** @description The model, key, modality, status, or value of the tag; empty for sessions, and for values of a tag beyond those that are counted apart. Absent for the others. */
                name?: string;
                /** @description How many the others are. */
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
                    /** @description Half of the requests took no longer, about. */
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
            /** @description Half of the requests took no longer, about. */
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
            /** @description The request as it came, with media cut short. */
            request?: {
                [key: string]: unknown;
            };
            /**
             * @description In place of `request` where that is not kept, or no longer.
             * @constant
             */
            requestKept?: false;
            usage?: {
                [key: string]: unknown;
            };
            usdCost?: number;
            durationMs?: number;
            /** @description The model entry that served it, by its neutral id. */
            entry?: string;
            /** @description Shown to operators alone. */
            provider?: string;
            /** @description The provider's own name for the model; shown to operators alone. */
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
            /** @description Of its `x-tags`. */
            tags?: {
                [key: string]: string;
            };
            /** @description The id of the end user that the request named. */
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
            /** @description The entries that could have served it, in order, and those that were passed over with the reason. */
            candidates: ({
                entry: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description When the first token came, and how many came in a second. */
            speed?: {
                [key: string]: unknown;
            };
            /** @description What it did to the credit of the account. */
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
            /** @description Of its generation too. */
            id: string;
            /** @enum {string} */
            kind: "image" | "video" | "speech";
            model: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description The provider's id of the work. */
            taskId?: string;
            /** @description What was ordered, where that is kept. */
            content?: {
                [key: string]: unknown;
            }[];
            outputs: {
                /** @description Of the archived file: a later request can name it. */
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
            /** @description Its files were kept as long as files are, and are gone. */
            isExpired: boolean;
            /** @description The outcome at the provider is not known; the hold was given back. */
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
            /** @description Held for generations that have not ended. */
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
                /** @description In the current window. */
                spent: number;
                remaining: number;
            };
            weekly?: {
                limit: number;
                /** @description In the current window. */
                spent: number;
                remaining: number;
            };
            monthly?: {
                limit: number;
                /** @description In the current window. */
                spent: number;
                remaining: number;
            };
            total?: {
                limit: number;
                /** @description In the current window. */
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
            /** @description Spend caps in US dollars; what is absent is not capped. */
            limits: {
                daily?: number;
                weekly?: number;
                monthly?: number;
                total?: number;
            };
            restrictions?: {
                /** @description Requests in any sixty seconds. */
                requestsPerMinute?: number | null;
                /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                tokensPerMinute?: number | null;
                /** @description Requests that are under way at one time. */
                concurrentRequests?: number | null;
                /** @description The ids of the models that it may use; `*` stands for any text. */
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
        /** @description Never holds the key itself. */
        ApiKey: {
            id: string;
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            isActive: boolean;
            /** @description Spend caps in US dollars; what is absent is not capped. */
            limits: {
                daily?: number;
                weekly?: number;
                monthly?: number;
                total?: number;
            };
            restrictions?: {
                /** @description Requests in any sixty seconds. */
                requestsPerMinute?: number | null;
                /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                tokensPerMinute?: number | null;
                /** @description Requests that are under way at one time. */
                concurrentRequests?: number | null;
                /** @description The ids of the models that it may use; `*` stands for any text. */
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
            /** @description Absent where the provider has no limit. */
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
             * @description The common one of all accounts.
             * @enum {string}
             */
            circuit: "closed" | "open" | "half-open";
            failures: number;
            /** @description Accounts that find it open for themselves alone. */
            openAccounts?: number;
            /**
             * Format: date-time
             * @description When an open circuit lets a request through again.
             */
            until?: string;
            /**
             * Format: date-time
             * @description The end of a pause that the provider demanded.
             */
            coolingUntil?: string;
            /** @description Milliseconds to the first byte, averaged. */
            latency?: number;
            /** @description Output tokens in a second, averaged. */
            throughput?: number;
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
                /** @description The operation. Default: the one of its first output. */
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
            /** @description Create an image job */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageJob"] | components["schemas"]["Explanation"];
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
                /** @description The answer to the order. */
                generationId: string;
            };
        };
        responses: {
            /** @description Read an image job */
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
                /** @description The answer to the order. */
                generationId: string;
            };
        };
        responses: {
            /** @description Give an image job up */
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
                /** @description The answer to the order. */
                taskId: string;
            };
        };
        responses: {
            /** @description Read a video task */
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
                /** @description The answer to the order. */
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
            /** @description Order a reading */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        generationId: string;
                    } | components["schemas"]["Explanation"];
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
            /** @description Order speech by references */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        generationId: string;
                    } | components["schemas"]["Explanation"];
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
                /** @description The answer to the order. */
                generationId: string;
            };
        };
        responses: {
            /** @description Read an audio job */
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
                /** @description The answer to the order. */
                generationId: string;
            };
        };
        responses: {
            /** @description Give an audio job up */
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
                from?: string;
                to?: string;
                /** @description `team:search`; of several, with commas between them, a record has all. */
                tag?: string;
                /** @description The id of an end user. */
                user?: string;
                /** @description The `next` of the page before, or `0` for the first: pages of any depth at one price, without `total`. */
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
                        /** @description For `after`, where there may be more. */
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
                from?: string;
                to?: string;
                /** @description `team:search`: requests with this tag; not together with a split by a tag. */
                tag?: string;
                /** @description In UTC; weeks begin on Monday. */
                bucket?: "hour" | "day" | "week" | "month";
                /** @description `tag:team` splits by the values of the tag `team`, and leaves out requests without it. */
                by?: string | ("model" | "key" | "modality" | "status");
                /** @description What the greatest series are chosen by; every point has every measure. */
                measure?: "spend" | "requests" | "failed" | "inputTokens" | "outputTokens" | "cacheReadTokens" | "reasoningTokens" | "images" | "seconds" | "characters";
                /** @description How many series are named; the others are summed. */
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
    account_get_api_compat_v1_usage_generationId: {
        parameters: {
            path: {
                generationId: string;
            };
        };
        responses: {
            /** @description Get a generation record with its price, its way and its movements of credit */
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
                /** @description How long the answer goes on. */
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
                /** @description Only those that go on, or only those that have ended. */
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
            /** @description Give a job of any kind up */
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
            /** @description Get the account with what is held of its credit */
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
                            /** @description Spend caps in US dollars; what is absent is not capped. */
                            limits: {
                                daily?: number;
                                weekly?: number;
                                monthly?: number;
                                total?: number;
                            };
                            restrictions?: {
                                /** @description Requests in any sixty seconds. */
                                requestsPerMinute?: number | null;
                                /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                                tokensPerMinute?: number | null;
                                /** @description Requests that are under way at one time. */
                                concurrentRequests?: number | null;
                                /** @description The ids of the models that it may use; `*` stands for any text. */
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
                            /** @description With `with=spend`. */
                            caps?: {
                                daily?: {
                                    limit: number;
                                    /** @description In the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                weekly?: {
                                    limit: number;
                                    /** @description In the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                monthly?: {
                                    limit: number;
                                    /** @description In the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                total?: {
                                    limit: number;
                                    /** @description In the current window. */
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
                        /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                        tokensPerMinute?: number | null;
                        /** @description Requests that are under way at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` stands for any text. */
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
            /** @description Create an API key; the answer holds the raw key */
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
                        /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                        tokensPerMinute?: number | null;
                        /** @description Requests that are under way at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` stands for any text. */
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
                            /** @description In the current window. */
                            spent: number;
                            remaining: number;
                        };
                        weekly?: {
                            limit: number;
                            /** @description In the current window. */
                            spent: number;
                            remaining: number;
                        };
                        monthly?: {
                            limit: number;
                            /** @description In the current window. */
                            spent: number;
                            remaining: number;
                        };
                        total?: {
                            limit: number;
                            /** @description In the current window. */
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
            /** @description Sign in with account and password; the answer holds a token */
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
            /** @description Sign out: end the session of the token; others go on */
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
                    /** @description What a first-run link carries. */
                    once: string;
                };
            };
        };
        responses: {
            /** @description Sign in a browser by password or first-run link; the answer sets a cookie */
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
            /** @description Sign a browser out; the answer ends its cookie */
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
                    /** @description What a first-run link carries. */
                    once: string;
                };
            };
        };
        responses: {
            /** @description Sign an operator in for an hour; the answer sets a cookie */
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
            /** @description Sign an operator out; the answer ends the cookie */
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
                            /** @description Held for generations that have not ended. */
                            held: number;
                            login?: string;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description With `with=spend`: what its requests of the last 30 days cost. */
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
            /** @description Add credit, once for each reference */
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
                        /** @description Held for generations that have not ended. */
                        held: number;
                        login?: string;
                        /** Format: date-time */
                        createdAt: string;
                        reference: string;
                        /** @description False where this reference was credited before. */
                        credited: boolean;
                    };
                };
            };
            /** @description Add credit, once for each reference */
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
                        /** @description Held for generations that have not ended. */
                        held: number;
                        login?: string;
                        /** Format: date-time */
                        createdAt: string;
                        reference: string;
                        /** @description False where this reference was credited before. */
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
                        /** @description Held for generations that have not ended. */
                        held: number;
                        login?: string;
                        /** Format: date-time */
                        createdAt: string;
                        generationId: string;
                        /** @description The refunded amount, now or before. */
                        amount: number;
                        /** @description False where the charge was given back before. */
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
                        /** @description Held for generations that have not ended. */
                        held: number;
                        login?: string;
                        /** Format: date-time */
                        createdAt: string;
                        generationId: string;
                        /** @description The refunded amount, now or before. */
                        amount: number;
                        /** @description False where the charge was given back before. */
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
                        /** @description Over all accounts. `given - charged + refunded` is `balances`; `held` is a part of these. */
                        totals: {
                            given: number;
                            charged: number;
                            refunded: number;
                            balances: number;
                            held: number;
                            records: number;
                        };
                        /** @description What it took. */
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
            /** @description List what was given, charged and refunded on each day, newest first */
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
                            /** @description Less what was corrected. */
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
                        /** @description The process that answers: circuits and loads are its own. */
                        process: string;
                        /** Format: date-time */
                        at: string;
                        providers: components["schemas"]["ProviderState"][];
                        /** @description Providers that the catalog names and this process does not know. */
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
            /** @description Pause a model entry, or let it serve again */
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
            /** @description Ask a provider for its models, with its key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        isReached: boolean;
                        ms: number;
                        /** @description What it lists with its key, by its own names. */
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
                    /** @description Whose request it is. */
                    accountId: string;
                    /** @description With this key of the account. Default: with none. */
                    keyId?: string;
                    /** @description Of a route that `x-explain` explains. */
                    path: string;
                    body: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description What to take the health of entries for, by their ids, in place of what is known of it.
                     * @default {}
                     */
                    suppose?: {
                        [key: string]: {
                            /** @enum {string} */
                            circuit?: "closed" | "open" | "half-open";
                            failures?: number;
                            /** @description Milliseconds to the first byte. */
                            latency?: number;
                            /** @description Output tokens in a second. */
                            throughput?: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Explain what would become of an account's request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        verdict: "accepted" | "refused";
                        /** @description The refusal that the request would meet. */
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
                                /** @description What it is ordered by, the most important first. */
                                rank?: {
                                    /** @description The place in `provider.order`, from 0. */
                                    order: number | null;
                                    /** @description 0: it served the conversation; 1: it can read its seals; 2: neither. */
                                    conversation: 0 | 1 | 2;
                                    /** @description It asked for a pause that is not over. */
                                    pause: boolean;
                                    /** @description What `provider.sort` asks for, where that is known. */
                                    sort: number | null;
                                    /** @description It speaks the caller's protocol. */
                                    protocol: boolean;
                                    priority: number;
                                    /** @description The draw of its weight for this conversation, the highest first; null without weights. */
                                    weight: number | null;
                                    /** @description Since its last success. */
                                    failures: number;
                                    /** @description US dollars. */
                                    price: number;
                                };
                                /**
                                 * @description The rule by which it comes after the candidate before it.
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
                        /** @description All entries of the model, as the account finds them. */
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
                             * @description The common one of all accounts.
                             * @enum {string}
                             */
                            circuit: "closed" | "open" | "half-open";
                            failures: number;
                            /** @description Accounts that find it open for themselves alone. */
                            openAccounts?: number;
                            /**
                             * Format: date-time
                             * @description When an open circuit lets a request through again.
                             */
                            until?: string;
                            /**
                             * Format: date-time
                             * @description The end of a pause that the provider demanded.
                             */
                            coolingUntil?: string;
                            /** @description Milliseconds to the first byte, averaged. */
                            latency?: number;
                            /** @description Output tokens in a second, averaged. */
                            throughput?: number;
                            provider: string;
                            /** @description As the list of models has it. */
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
                /** @description How long the answer goes on. */
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
                            /** @description Of a secret, the beginning of its SHA-256. */
                            value: unknown;
                            isDefault: boolean;
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
    admin_get_api_admin_generations: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `next` of the page before. */
                before?: string;
                /** @description The id of an account. */
                account?: string;
                modality?: "text" | "image" | "video" | "audio";
                status?: "succeeded" | "failed" | "aborted" | "cancelled";
                model?: string;
                /** @description `team:search`; of several, with commas between them, a record has all. */
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
            /** @description Get a generation record of any account in depth */
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
                            /** @description Spend caps in US dollars; what is absent is not capped. */
                            limits: {
                                daily?: number;
                                weekly?: number;
                                monthly?: number;
                                total?: number;
                            };
                            restrictions?: {
                                /** @description Requests in any sixty seconds. */
                                requestsPerMinute?: number | null;
                                /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                                tokensPerMinute?: number | null;
                                /** @description Requests that are under way at one time. */
                                concurrentRequests?: number | null;
                                /** @description The ids of the models that it may use; `*` stands for any text. */
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
                            /** @description With `with=spend`. */
                            caps?: {
                                daily?: {
                                    limit: number;
                                    /** @description In the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                weekly?: {
                                    limit: number;
                                    /** @description In the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                monthly?: {
                                    limit: number;
                                    /** @description In the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                total?: {
                                    limit: number;
                                    /** @description In the current window. */
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
                        /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                        tokensPerMinute?: number | null;
                        /** @description Requests that are under way at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` stands for any text. */
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
            /** @description Create an API key; the answer holds the raw key */
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
                        /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                        tokensPerMinute?: number | null;
                        /** @description Requests that are under way at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` stands for any text. */
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
                            /** @description In the current window. */
                            spent: number;
                            remaining: number;
                        };
                        weekly?: {
                            limit: number;
                            /** @description In the current window. */
                            spent: number;
                            remaining: number;
                        };
                        monthly?: {
                            limit: number;
                            /** @description In the current window. */
                            spent: number;
                            remaining: number;
                        };
                        total?: {
                            limit: number;
                            /** @description In the current window. */
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
                            /** @description Spend caps in US dollars; what is absent is not capped. */
                            limits: {
                                daily?: number;
                                weekly?: number;
                                monthly?: number;
                                total?: number;
                            };
                            restrictions?: {
                                /** @description Requests in any sixty seconds. */
                                requestsPerMinute?: number | null;
                                /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                                tokensPerMinute?: number | null;
                                /** @description Requests that are under way at one time. */
                                concurrentRequests?: number | null;
                                /** @description The ids of the models that it may use; `*` stands for any text. */
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
                            /** @description With `with=spend`. */
                            caps?: {
                                daily?: {
                                    limit: number;
                                    /** @description In the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                weekly?: {
                                    limit: number;
                                    /** @description In the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                monthly?: {
                                    limit: number;
                                    /** @description In the current window. */
                                    spent: number;
                                    remaining: number;
                                };
                                total?: {
                                    limit: number;
                                    /** @description In the current window. */
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
                        /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                        tokensPerMinute?: number | null;
                        /** @description Requests that are under way at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` stands for any text. */
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
            /** @description Create an API key; the answer holds the raw key */
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
                        /** @description Tokens in any sixty seconds, of what is sent and what is generated. */
                        tokensPerMinute?: number | null;
                        /** @description Requests that are under way at one time. */
                        concurrentRequests?: number | null;
                        /** @description The ids of the models that it may use; `*` stands for any text. */
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
                            /** @description In the current window. */
                            spent: number;
                            remaining: number;
                        };
                        weekly?: {
                            limit: number;
                            /** @description In the current window. */
                            spent: number;
                            remaining: number;
                        };
                        monthly?: {
                            limit: number;
                            /** @description In the current window. */
                            spent: number;
                            remaining: number;
                        };
                        total?: {
                            limit: number;
                            /** @description In the current window. */
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
