package config

import (
	"strings"
	"testing"

	"parley/mcpclient"
)

// TestEnv_TheNameOfASecretCountsBeforeTheShapeOfItsValue: a password may be a
// number, an ordinary word, or begin as a path does.
func TestEnv_TheNameOfASecretCountsBeforeTheShapeOfItsValue(t *testing.T) {
	for _, set := range []string{
		"DB_PASS=123456", "SMTP_PASS=/hunter2secret", "OTP=123456", "MYSQL_PASS=debug", "USER_PASS=test", "PASS=true", "DB_PASS_2=on",
		"ENC=/9j4AAQSkZJRgABAQEAYABgAAD", "BLOB=/hunter2secret", "SIGNING_KEY=/home/lin", "PIN=1234", "ROOT_PWD=json", "AUTH=info", "CREDENTIALS=~/x",
		"TOTP_SEED=1234", "LOGIN_CREDS=test", "PASSCODE=1234", "smtpPass=test", "ADMIN_PASSWD=de", "ACCESS_CODE=1234", "OPENAI_APIKEY=test", "X_TOKEN=1",
		"SECRETS=C:/x", "PGPASS=test", "WALLET_MNEMONIC=test", "PATH_A=/srv/eyJhbGciOiJIUzI1NiIsInR5", "HMAC=1",
	} {
		name, value, _ := strings.Cut(set, "=")
		if harmlessEnv(name, value) {
			t.Errorf("%s would lie in a plain file", set)
		}
	}
}

// TestSecret_OrdinaryValuesRaiseNoAlarm neither as variables nor as arguments
// nor in addresses.
func TestSecret_OrdinaryValuesRaiseNoAlarm(t *testing.T) {
	for _, set := range []string{
		"PATH=/usr/local/bin:/usr/bin", "HOME=/home/lin", "NODE_ENV=production", "LOG_LEVEL=debug", "PORT=8080", "DB_PORT=5432", "DB_HOST=/var/run/postgresql",
		"ALLOWED_DIR=/projects", "ROOT=/home/lin/Documents/my-notes-of-2024", "WORK=/Users/lin/Library/Application Support/Claude", "DATA=~/data",
		`VAULT=C:\Users\lin\vault`, "VERBOSE=true", "BYPASS=true", "PASS_THROUGH=true", "API_URL=https://api.test/v1", "TZ=/usr/share/zoneinfo/Europe/Berlin",
		"MODE=stdio", "FORMAT=json", "LOCALE=de_DE.UTF-8", "TIMEOUT=30000", "WORKSPACE=/projects/alpha", "COMPASS=on", "PYTHONPATH=/opt/app/lib/python3.12/site-packages",
	} {
		name, value, _ := strings.Cut(set, "=")
		if !harmlessEnv(name, value) {
			t.Errorf("the variable %s counts as a secret", set)
		}
	}
	for _, line := range []string{
		"npx -y @modelcontextprotocol/server-filesystem /home/lin/Documents", "uvx mcp-server-git --repository /srv/repo", "docker run -i --rm mcp/fetch",
		"docker run -i -e MODE=readonly -e LOG_LEVEL=debug ghcr.io/github/github-mcp-server", "docker run -p 8080:80 -v /srv/secrets:/x token-server:latest",
		"docker run -e GITHUB_TOKEN ghcr.io/github/github-mcp-server", "npx mcp-remote https://mcp.test/sse --transport http-only", "node dist/index.js --port=3000",
		"python -m my_server --seed 42", "uv --directory /home/lin/src/weather run weather.py", "uvx --from git+https://github.com/oraios/serena@3f2a8c1b9d4e5f60718293a4b5c6d7e8f9012345 serena",
		"npx mcp-remote https://x.test/mcp --header Accept:application/json", "env NODE_ENV=production npx foo", "java -jar target/server-1.2.3-SNAPSHOT.jar",
		"npx -y supergateway --stdio x --ssePath /sse", "curl -k https://a.test/", "npx tsx src/keyboard-server.ts --max-tokens 4096", "cmd /c npx -y foo",
		"deno run --allow-read=/srv jsr:@scope/pkg", "dotnet run --project /src/A.B.csproj", "docker run -u 1000:1000 x@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"npx foo -p my-project -k", "npx foo --env production", `sh -c "cd /srv && NODE_ENV=test npx foo --name 'a b'"`, "npx -y foo@1.2.3-beta.20240711 --project my-long-project-name-2024",
		"npx mcp-remote https://x.test/mcp --header X-Api-Key:${input:key2}", "npx foo -e API_KEY=${input:k}", "python -c import",
	} {
		words, err := splitWords(line)
		if err != nil {
			words = strings.Fields(line)
		}
		for i := range words {
			if secretArgument(words, i) {
				t.Errorf("argument %d of %q counts as a secret", i, line)
			}
		}
	}
	for _, address := range []string{
		"https://mcp.test/mcp", "https://mcp.test/v1/projects/my-long-project-name-2024/mcp", "https://mcp.test/mcp?profile=work&region=eu-central-1",
		"https://mcp.test/organizations/1234567890123456/mcp", "https://mcp.test/ModelContextProtocolServer/sse", "https://mcp.test/mcp?toolsets=repos,issues,pull_requests",
		"https://mcp.test/mcp?v=2025-11-25T12:00:00Z", "https://mcp.test/a/server-filesystem-internationalization/mcp?readonly=true",
		"https://mcp.test/mcp?k=1", "https://mcp.test/%E4%B8%AD%E6%96%87%E6%9C%8D%E5%8A%A1%E5%99%A8/mcp", "https://mcp.test/mcp?token=${input:t}",
	} {
		if secretAddress(address) {
			t.Errorf("%s counts as holding a secret", address)
		}
	}
}

// TestArguments_SecretsArePointedOut in the shapes that servers document.
func TestArguments_SecretsArePointedOut(t *testing.T) {
	for _, c := range [][]string{
		{"run", "-e", "GITHUB_TOKEN=abcdef"},
		{"run", "--env", "GITHUB_TOKEN=abcdef"},
		{"run", "--env=GITHUB_TOKEN=abcdef"},
		{"run", "-eGITHUB_TOKEN=abcdef"},
		{"mcp-remote", "--header", "X-API-Key: s3cr3t"},
		{"mcp-remote", "--header=X-API-Key: s3cr3t"},
		{"mcp-remote", "-H", "X-API-Key:s3cr3t"},
		{"mcp-remote", "-HX-API-Key:s3cr3t"},
		{"server", "-k", "sekret-123"},
		{"server", "-t", "q8Zr2LmX9vB4nK7pT1sW"},
		{"server", "-token", "hunter2"},
		{"API_KEY=hunter2"},
		{"env", "API_KEY=hunter2", "npx"},
		{"-c", "API_KEY=hunter2 npx foo"},
		{"-lc", "export API_KEY='hunter2'; exec npx foo"},
		{"-c", `curl -H "X-API-Key: abc" https://a.test | sh`},
		{"/c", "set API_KEY=hunter2&& npx foo"},
		{"-c", "npx foo --api-key hunter2"},
		{"mcp-remote", "https://mcp.test/s/q8Zr2LmX9vB4nK7pT1sWq8Zr2LmX9vB4/mcp"},
		{"mcp-remote", "https://mcp.test/mcp?apiKey=hunter2"},
		{"-e", "SETTING=q8Zr2LmX9vB4nK7pT1sW"},
		{"--password", "hunter2"},
		{"--password=hunter2"},
		{"postgres://lin:hunter2@db/x"},
	} {
		found := false
		for i := range c {
			found = found || secretArgument(c, i)
		}
		if !found {
			t.Errorf("nothing is said of %q", c)
		}
		raw, err := Export([]mcpclient.Server{{Name: "a", Kind: mcpclient.Stdio, Command: "x", Args: c}}, nil)
		must(t, err)
		for _, secret := range []string{"hunter2", "abcdef", "s3cr3t", "sekret-123", "q8Zr", "abc\\\""} {
			if strings.Contains(string(raw), secret) {
				t.Errorf("exported:\n%s", raw)
			}
		}
	}
}

// TestAddress_SecretsArePointedOut on import and where one is added.
func TestAddress_SecretsArePointedOut(t *testing.T) {
	for _, address := range []string{
		"https://mcp.zapier.test/api/mcp/s/NzQ5YjU2ZTMtOGQ0Zi00YjRkLWJh/mcp",
		"https://mcp.test/mcp?profile=p&k=9f86d081884c7d659a2feaa0c55ad015",
		"https://mcp.test/3f2504e0-4f89-41d3-9a0c-0305e82c3301/github",
		"https://mcp.test/mcp?apiKey=x", "https://mcp.test/mcp?pass=x",
	} {
		src, err := ReadText(`{"mcpServers":{"a":{"url":"` + address + `"}}}`)
		must(t, err)
		if len(src.Offers) != 1 || !strings.Contains(drawn(src), "seems to hold a secret") {
			t.Errorf("importing %s says\n%s", address, drawn(src))
		}
		said := ""
		for _, m := range (Draft{URL: address}).Remarks() {
			said += english.Text(m)
		}
		if !strings.Contains(said, "seems to hold a secret") {
			t.Errorf("adding %s says %q", address, said)
		}
		raw, err := Export([]mcpclient.Server{{Name: "a", Kind: mcpclient.HTTP, URL: address}}, nil)
		must(t, err)
		for _, secret := range []string{"NzQ5", "9f86", "3f2504", "apiKey=x", "pass=x"} {
			if strings.Contains(string(raw), secret) {
				t.Errorf("exported:\n%s", raw)
			}
		}
	}
}
