package forms

import "strings"

// A text that tells people to keep a secret out of a field speaks of the secret
// and does not ask for it: "do not give us your phone number, PIN or other
// sensitive info", "请勿填写密码". withoutDenials takes such parts away before
// secret words are looked for, in titles and descriptions and in the six
// languages of secret.go.
//
// It errs on the side of the warning. A part is denied only where a word for
// "not" stands beside a word for giving or asking; not where the sentence has a
// condition ("if you have no token, …"), where it reminds ("do not forget
// to …") or speaks of other people ("never share it with anyone"), and not
// where it goes on to ask for the thing after all ("…, but enter it here").
func withoutDenials(text string) string {
	text = ascii(text[:min(len(text), mostRead)])
	var kept []string
	for _, sentence := range strings.FieldsFunc(text, endsSentence) {
		if hasAny(sentence, cjkVetoes) {
			kept = append(kept, sentence)
			continue
		}
		kept = append(kept, withoutLatinDenial(withoutCJKDenial(sentence)))
	}
	return strings.Join(kept, ". ")
}

func endsSentence(r rune) bool { return strings.ContainsRune(".!?;()\n。！？；（）｡", r) }

func endsClause(r rune) bool { return strings.ContainsRune(",:，：、", r) }

// The words of denials in languages that have spaces between words, as
// splitWords gives them. Verbs go by how they begin.
var (
	notWords = wordSet(`not never don dont no nobody avoid
		nicht niemals nie kein keine keinen keinerlei keinesfalls
		ne n jamais nunca jamas`)
	// notAfter are those that follow their verb too, and whose objects may
	// stand between the two.
	notAfter = wordSet(`nicht niemals nie`)
	notOne   = wordSet(`kein keine keinen keinerlei`) // their object follows, their verb may not
	modals   = wordSet(`must should shall may can`)
	giving   = strings.Fields(`give giving enter provid shar send typ includ put writ use using submit tell reveal disclos paste pasting
		post suppl fill add insert ask request need requir collect mention upload
		geben gib eingeb einzugeb angeb anzugeb eintrag trag teil send schreib verrat preisgeb mitteil nenn verwend schick frag verlang
		saisi entrez entrer donn communiqu indiqu partag envoy mett fourn ecri tap renseign divulgu demand
		introduz introduc ingres escrib proporcion compart envi facilit pong incluy indiqu revel pid ped solicit tecle`)
	latinVetoes = wordSet(`if when unless otherwise forget forgetting fail hesitate anyone anybody others someone somebody everyone third strangers
		wenn falls sonst vergessen anderen dritte dritten niemandem
		si quand sinon oubliez oublier personne autrui tiers
		cuando sino olvide olvides olvidar nadie terceros`)
	contrasts = wordSet(`but instead only just except then rather sondern aber nur stattdessen mais seulement plutot sino pero solo solamente`)
	pronouns  = wordSet(`it them this these es ihn sie le la les lo las los`)
)

// withoutLatinDenial takes what a sentence denies out of it.
func withoutLatinDenial(sentence string) string {
	var clauses [][]string
	for _, clause := range strings.FieldsFunc(sentence, endsClause) {
		words := splitWords(clause)
		for _, w := range words {
			if latinVetoes[w] {
				return sentence
			}
		}
		clauses = append(clauses, words)
	}
	for i, words := range clauses {
		start, end, found := denial(words)
		if !found {
			continue
		}
		rest := words[end:]
		next := i + 1
		for end == len(words) && next < len(clauses) && !asks(clauses[next]) {
			next++
		}
		for _, clause := range clauses[next:] {
			rest = append(rest[:len(rest):len(rest)], clause...)
		}
		if asksForIt(rest) {
			return sentence
		}
		var kept []string
		for _, clause := range clauses[:i] {
			kept = append(kept, strings.Join(clause, " "))
		}
		kept = append(kept, strings.Join(words[:start], " "))
		return strings.Join(kept, ", ") + ", " + withoutLatinDenial(strings.Join(rest, " "))
	}
	return sentence
}

// denial finds what a clause denies: from its "not" on, or all of it where the
// object stands before, up to a word such as "but".
func denial(words []string) (start, end int, found bool) {
	for i, w := range words {
		switch {
		case !notWords[w]:
			continue
		case givesIn(words[i+1 : min(len(words), i+5)]):
			start = i
			if i > 0 && (modals[words[i-1]] || notAfter[w]) {
				start = 0
			}
		case notAfter[w] && givesIn(words[max(0, i-6):i]):
			start = 0
		case notOne[w] && givesIn(words[max(0, i-3):i]):
			start = i
		default:
			continue
		}
		end = i + 1
		for end < len(words) && !contrasts[words[end]] {
			end++
		}
		return start, end, true
	}
	return 0, 0, false
}

func givesIn(words []string) bool {
	for _, w := range words {
		for _, verb := range giving {
			if strings.HasPrefix(w, verb) {
				return true
			}
		}
	}
	return false
}

// asks reports whether a clause asks for something of its own.
func asks(words []string) bool {
	return givesIn(words) || len(words) > 0 && contrasts[words[0]]
}

// asksForIt reports whether what follows a denial asks for what was denied.
func asksForIt(words []string) bool {
	if !givesIn(words) {
		return false
	}
	for _, w := range words {
		if pronouns[w] {
			return true
		}
	}
	return false
}

// The same for Chinese and Japanese, which have no spaces. A Chinese "not"
// stands before its verb, a Japanese one at the end.
var (
	cjkNotBefore = strings.Fields(`请勿 切勿 勿填 勿输 勿在 不要 不得 不可 不应 严禁 禁止 无需 不需 不必 不会 千万别 请别 从不 绝不
		請勿 勿輸 不應 嚴禁 無需 不會 請別 從不 絕不`)
	cjkNotAfter = strings.Fields(`ないで しないこと 禁止 不要です 不可です ありません ません 必要はない`)
	cjkGiving   = strings.Fields(`填 输 輸 提供 写 寫 发送 發送 透露 泄露 洩露 告诉 告訴 分享 共享 索要 索取 要求 询问 詢問 包含 粘贴 貼 贴 上传 上傳 使用 录入
		入力 記入 書 送 教え 入れ 求め 尋ね 聞 必要`)
	cjkVetoes    = strings.Fields(`忘 如果 若 假如 他人 别人 別人 任何人 第三方 もし 場合 誰 第三者 なければ`)
	cjkContrasts = strings.Fields(`但 而是 只需 仅需 請輸 请输 请填 請填 请提供`)
)

// withoutCJKDenial takes what a sentence denies out of it.
func withoutCJKDenial(sentence string) string {
	clauses := strings.FieldsFunc(sentence, endsClause)
	for i, clause := range clauses {
		switch at := firstOf(clause, cjkNotBefore); {
		case at >= 0 && hasAny(clause[at:], cjkGiving):
			last := i
			for last+1 < len(clauses) && !hasAny(clauses[last+1], cjkContrasts) && firstOf(clauses[last+1], cjkGiving) < 0 {
				last++
			}
			rest := ""
			if from := firstOf(clause, cjkContrasts); from > at {
				last, rest = i, clause[from:]
			}
			return strings.Join(append(clauses[:i:i], rest, withoutCJKDenial(strings.Join(clauses[last+1:], "，"))), "，")
		case firstOf(clause, cjkNotAfter) >= 0 && hasAny(clause, cjkGiving):
			first := i
			for first > 0 && !hasAny(clauses[first-1], cjkGiving) {
				first--
			}
			return strings.Join(append(clauses[:first:first], withoutCJKDenial(strings.Join(clauses[i+1:], "，"))), "，")
		}
	}
	return sentence
}

// firstOf is where the first of the words stands in text, -1 if none does.
func firstOf(text string, words []string) int {
	first := -1
	for _, w := range words {
		if at := strings.Index(text, w); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

func hasAny(text string, words []string) bool { return firstOf(text, words) >= 0 }
