package config

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parley/mcpclient"
)

// TestSecrets_AsServersDocumentThem: what the pages of MCP servers tell people to
// enter, secrets on the left and what only stands beside them on the right. A
// secret variable goes to the keychain; an argument or an address with one is
// pointed out and left out of an export. What is no secret raises no alarm.
func TestSecrets_AsServersDocumentThem(t *testing.T) {
	env := struct{ secret, plain []string }{
		secret: []string{
			"GITHUB_PERSONAL_ACCESS_TOKEN=ghp_x", "SLACK_BOT_TOKEN=xoxb-1", "POSTGRES_CONNECTION_STRING=postgresql://localhost/x", "AWS_SECRET_ACCESS_KEY=x",
			"AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE", "AWS_SESSION_TOKEN=abc", "DATABASE_URL=postgres://lin:pw@h/x", "DATABASE_URI=x", "REDIS_URL=redis://:pw@h:6379/0", "MONGODB_URI=mongodb+srv://lin:pw@c.test/x",
			"MDB_MCP_CONNECTION_STRING=mongodb://h/x", "BRAVE_API_KEY=x", "OPENAI_API_KEY=sk-abc", "ANTHROPIC_API_KEY=x", "GOOGLE_MAPS_API_KEY=x", "TAVILY_API_KEY=x", "FIRECRAWL_API_KEY=fc-1",
			"NOTION_TOKEN=x", "OPENAPI_MCP_HEADERS={\"Authorization\": \"Bearer ntn_x\"}", "LINEAR_API_KEY=x", "STRIPE_SECRET_KEY=sk_test_x", "SENTRY_AUTH_TOKEN=x", "SENTRY_DSN=https://x@o1.ingest.sentry.io/2",
			"SUPABASE_ACCESS_TOKEN=x", "SUPABASE_SERVICE_ROLE_KEY=x", "ATLASSIAN_API_TOKEN=x", "JIRA_API_TOKEN=x", "CONFLUENCE_PERSONAL_TOKEN=x", "GITLAB_PERSONAL_ACCESS_TOKEN=x", "DISCORD_TOKEN=x",
			"TELEGRAM_BOT_TOKEN=1:x", "TWILIO_AUTH_TOKEN=x", "SLACK_SIGNING_SECRET=x", "SLACK_WEBHOOK_URL=https://hooks.slack.com/services/T/B/x", "AZURE_CLIENT_SECRET=x", "AZURE_STORAGE_CONNECTION_STRING=x",
			"NEO4J_PASSWORD=x", "SNOWFLAKE_PASSWORD=x", "MYSQL_PASS=x", "PGPASSWORD=x", "ES_API_KEY=x", "QDRANT_API_KEY=x", "CLOUDFLARE_API_TOKEN=x", "SMITHERY_KEY=x", "SESSION_ID=abc", "WP_APP_PASSWORD=a b c d",
			"EMAIL_PASSWORD=x", "PRIVATE_KEY=0xabc", "KUBECONFIG_DATA=x", "APP_PIN=1234", "LOGIN_COOKIE=li_at", "JWT=eyJhbGciOiJIUzI1NiJ9.x.y", "WEBHOOK_URL=https://x.test/short", "TOKEN_FILE=hunter2!", "API_KEY_PATH=sk-aaaaaaaaaaaaaaaaaaaa",
			"FIGMA_API_KEY=figd_x", "APIFY_TOKEN=x", "EXA_API_KEY=3f2504e0-4f89-41d3-9a0c-0305e82c3301", "CONFIG={\"password\":\"x\"}",
		},
		plain: []string{
			"TOKEN_FILE=/run/secrets/token", "SSH_KEY_PATH=~/.ssh/id_ed25519", "GOOGLE_APPLICATION_CREDENTIALS_PATH=/home/lin/key.json", "AUTH_TYPE=oauth", "AUTH_MODE=none", "AUTH_METHOD=api_key", "API_KEY_HEADER=X-Api-Key",
			"TOKEN_TTL=3600", "AUTH_URL=https://login.test/", "PASSWORD_STORE_DIR=~/.pass", "SECRET_BACKEND=vault", "AUTH_PROVIDER=github", "AWS_REGION=eu-central-1", "AWS_PROFILE=work", "LOG_LEVEL=debug", "NODE_ENV=production",
			"PORT=3000", "DEBUG=true", "MAX_TOKENS=4096", "MEMORY_FILE_PATH=/home/lin/memory.json", "ALLOWED_DIRECTORIES=/home/lin/Documents", "OLLAMA_HOST=http://localhost:11434", "API_BASE_URL=https://api.test/v1",
			"GITLAB_API_URL=https://gitlab.test/api/v4", "GITLAB_READ_ONLY_MODE=true", "JIRA_URL=https://x.atlassian.net", "READ_ONLY=true", "TRANSPORT=stdio", "TZ=/usr/share/zoneinfo/UTC", "LANG=de_DE.UTF-8", "HOME=/home/lin",
			"PYTHONUNBUFFERED=1", "APPDATA=C:\\Users\\lin\\AppData\\Roaming", "TOKENIZERS_PARALLELISM=false", "PUPPETEER_HEADLESS=true", "KEYBOARD_LAYOUT=de", "TIMEOUT=30000", "PATH=/usr/bin:/bin",
		},
	}
	for _, set := range env.secret {
		name, value, _ := strings.Cut(set, "=")
		if harmlessEnv(name, value) {
			t.Errorf("the variable %s would lie in a plain file", set)
		}
	}
	for _, set := range env.plain {
		name, value, _ := strings.Cut(set, "=")
		if !harmlessEnv(name, value) {
			t.Errorf("the variable %s counts as a secret", set)
		}
	}
	args := struct{ secret, plain [][]string }{
		secret: [][]string{
			{"--db-url", "postgres://lin:canary@h/x"}, {"--dsn=mysql://root:canary@h/x"}, {"redis://:canary@h:6379"}, {"mongodb+srv://lin:canary@c.test/x"}, {"postgres://lin:can/ary@h/x"}, {"postgres://lin:can@ry@h/x"},
			{"Server=h;Database=x;User Id=sa;Password=canary;"}, {"DefaultEndpointsProtocol=https;AccountName=x;AccountKey=canary=="}, {"Endpoint=sb://x/;SharedAccessKey=canary"},
			{"--header", "Authorization: Basic canary"}, {"--header", "Authorization:Bearer canary"}, {"-H", "X-API-Key: canary"}, {"--header", "Cookie: sid=canary"},
			{"-e", "GITHUB_PERSONAL_ACCESS_TOKEN=canary"}, {"--env", "DB_PASSWORD=canary"}, {"-e", "CONN=postgres://lin:canary@h/x"}, {"--token", "canary"}, {"--api-key=canary"}, {"--apiKey", "canary"}, {"-apikey", "canary"},
			{"--access-token", "canary"}, {"--client-secret", "canary"}, {"--pat", "canary"}, {"--password=canary"}, {"-u", "lin:canary"}, {"--user", "lin:canary"}, {"--private-key", "canary"}, {"--secret", "canary"}, {"--connection-string", "canary"},
			{"--key", `{"apiKey":"canary"}`}, {"xapp-1-canary-x"}, {"sk-ant-api03-canarycanarycanary"}, {"glpat-canarycanarycanary"}, {"lin_api_canarycanarycanary"}, {"figd_canarycanarycanary"}, {"sbp_canarycanarycanary"},
			{"-----BEGIN RSA PRIVATE KEY-----\ncanary"}, {"https://mcp.test/mcp?api_key=canary"}, {"https://mcp.test/mcp?tavilyApiKey=canary"}, {"eyJcanaryJIUzI1NiJ9.eyJzdWIiOiIxIn0.x"},
			{"run", "x", "canaryq8zr2lmx9vb4nk7pt1swq8zr"}, {"run", "canaryQZXKJVWQBFHGTYXQZKJ"}, {"--cookie", "canary"}, {"--bearer", "canary"}, {"--webhook-url", "https://x.test/canary"},
			{"npx", "supergateway", "--oauth2Bearer", "canary"}, {"cmd", "/c", "set API_KEY=canary&& npx x"}, {"-c", "TOKEN=canary exec npx x"}, {"https://canaryq8zr2lmx9vb4nk7pt1sw@x.test/"},
		},
		plain: [][]string{
			{"run", "--env-file", "/home/lin/.env"}, {"run", "--env-file=.env"}, {"--key-file", "/etc/ssl/private/key.pem"}, {"--token-file=/run/secrets/x"}, {"--private-key-path", "~/.ssh/id"}, {"--credentials-file", "./creds.json"},
			{"--auth", "oauth"}, {"--auth=none"}, {"--auth-type", "api_key"}, {"--no-auth"}, {"--auth-mode=interactive"}, {"--api-key-env", "OPENAI_API_KEY"}, {"--api-key-header", "X-Api-Key"}, {"--token-ttl", "3600"},
			{"--max-tokens", "4096"}, {"--region", "eu-central-1"}, {"--port", "8080"}, {"--host", "0.0.0.0"}, {"--project-ref", "abcdefghijklmnopqrst"}, {"--project", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"}, {"3f2504e0-4f89-41d3-9a0c-0305e82c3301"},
			{"-u", "1000:1000"}, {"--user", "1000:1000"}, {"-u", "lin"}, {"-v", "/srv/secrets:/secrets:ro"}, {"--author", "Lin"}, {"--keywords", "a,b"}, {"--keyboard", "de"}, {"--primary-key", "id"}, {"--sort-key", "name"},
			{"--from", "git+https://github.com/oraios/serena@3f2a8c1b9d4e5f60718293a4b5c6d7e8f9012345"}, {"ghcr.io/x/y@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}, {"--commit", "3f2a8c1b9d4e5f60718293a4b5c6d7e8f9012345"},
			{"@modelcontextprotocol/server-filesystem@2025.11.25"}, {"https://registry.test:4873/pkg@1.0"}, {"postgres://localhost:5432/x"}, {"postgres://lin@localhost/x"}, {"https://api.test/v1/mcp?readonly=true&features=docs,database"},
			{"--allowed-tools", "read_file,list_directory"}, {"--config", `{"a":1}`}, {"/Users/lin/Library/Application Support/Claude"}, {"C:\\Users\\lin\\Documents"}, {"server-filesystem-internationalization"}, {"ModelContextProtocolServerEverything"},
			{"--transport", "streamable-http"}, {"--toolsets", "repos,issues,pull_requests,actions"}, {"-e", "MODE=readonly"}, {"-e", "LOG_LEVEL"}, {"-e", "GITHUB_TOKEN"}, {"--header", "Accept: application/json"}, {"--header", "X-Region: eu"},
			{"1.2.3-beta.20240711"}, {"2025-11-25T12:00:00Z"}, {"--seed", "42"}, {"--session-name", "main"}, {"--model", "claude-sonnet-4-20250514"}, {"--cache-key", "build"},
		},
	}
	alarms := func(c []string) bool {
		for i := range c {
			if secretArgument(c, i) {
				return true
			}
		}
		return false
	}
	for _, c := range args.secret {
		if !alarms(c) {
			t.Errorf("nothing is said of the arguments %q", c)
		}
		raw, err := Export([]mcpclient.Server{{Name: "a", Kind: mcpclient.Stdio, Command: "x", Args: c}}, nil)
		must(t, err)
		if text := string(raw); strings.Contains(text, "canary") || strings.Contains(text, "ary@") {
			t.Errorf("exported of %q:\n%s", c, text)
		}
	}
	for _, c := range args.plain {
		if alarms(c) {
			t.Errorf("the arguments %q count as a secret", c)
		}
	}
}

// TestLooksRandom_LettersDrawnByLotAreTold from words, in whatever case and base,
// nearly always.
func TestLooksRandom_LettersDrawnByLotAreTold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, alphabet := range map[string]string{
		"lower case": "abcdefghijklmnopqrstuvwxyz", "upper case": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "both": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
		"base32": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "base62": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "hex": "0123456789abcdef",
	} {
		missed := 0
		for range 1000 {
			var b strings.Builder
			for range 32 {
				b.WriteByte(alphabet[r.IntN(len(alphabet))])
			}
			if !looksRandom(b.String()) {
				missed++
			}
		}
		if missed > 60 {
			t.Errorf("%s: %d of 1000 are not told", name, missed)
		}
	}
	var named []string
	for _, s := range strings.Fields(`modelcontextprotocolserver internationalization ModelContextProtocolServer server-sequential-thinking chromedevtoolsprotocol
		googleworkspaceadmin kubernetesportforwarder application-programming-interface Benutzeroberflaeche Kundenverwaltungsserver elasticsearchvectorstore
		mcp-server-kubernetes postgresqlconnectionpooler huggingfacetransformers documentationgenerator fichiersdeconfiguration shujukufuwuqi
		microsoftsqlserverdriver com.example.enterprise.application.server`) {
		if looksRandom(s) {
			named = append(named, s)
		}
	}
	if named != nil {
		t.Errorf("these are names and look random: %s", fmt.Sprint(named))
	}
}
