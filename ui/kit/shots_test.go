package kit

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"parley/assets/i18n"
	"parley/consent/safetext"
)

// TestShots draws the sheets a person looks at to judge the look of the kit:
// the same scenes as the design's drawings. It writes PNG files into the folder
// named by PARLEY_SHOTS and does nothing without it.
func TestShots(t *testing.T) {
	dir := os.Getenv("PARLEY_SHOTS")
	if dir == "" {
		t.Skip("PARLEY_SHOTS names no folder")
	}
	for _, s := range []struct {
		name string
		mode Mode
		lang string
		page func(*Env) fyne.CanvasObject
	}{
		{"form-light-en", Light, "en", shotForm},
		{"form-dark-zh", Dark, "zh-Hans", shotForm},
		{"url-light-en", Light, "en", shotURL},
		{"url-dark-zh", Dark, "zh-Hans", shotURL},
		{"picker-light-en", Light, "en", shotPicker},
		{"calendar-dark-zh", Dark, "zh-Hans", shotCalendar},
		{"parts-light-en", Light, "en", shotParts},
		{"parts-dark-zh", Dark, "zh-Hans", shotParts},
	} {
		t.Run(s.name, func(t *testing.T) {
			settings := fyne.CurrentApp().Settings()
			settings.SetTheme(NewTheme(s.mode, 1))
			defer settings.SetTheme(NewTheme(Light, 1))
			env := &Env{Loc: i18n.New(s.lang), Now: func() time.Time { return time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC) }}
			w := test.NewTempWindow(t, nil)
			w.SetPadded(false)
			w.Resize(fyne.NewSize(1280, 800))
			shotWindow = w
			w.SetContent(s.page(env))
			w.Resize(fyne.NewSize(1280, 800))
			if shotAfter != nil {
				shotAfter()
				shotAfter = nil
			}
			f, err := os.Create(filepath.Join(dir, s.name+".png"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := png.Encode(f, w.Canvas().Capture()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

var (
	shotWindow fyne.Window
	shotAfter  func() // what happens once the page is on the screen
)

// say picks the words of a language.
func say(env *Env, en, zh string) string {
	if env.tag() == "en" {
		return en
	}
	return zh
}

func safe(s string) safetext.Text { return safetext.Make(s, 1<<20) }

func shotSide(env *Env) fyne.CanvasObject {
	questions := NewSideItem(SideItemOptions{Env: env, Icon: IconInbox, Title: safe(say(env, "Questions", "待回答")), Count: 2})
	questions.SetSelected(true)
	item := func(icon fyne.Resource, en, zh string) fyne.CanvasObject {
		return NewSideItem(SideItemOptions{Env: env, Icon: icon, Title: safe(say(env, en, zh))})
	}
	server := func(dot Dot, count int, name, zh, sub, subZh string) fyne.CanvasObject {
		return NewSideItem(SideItemOptions{Env: env, HasDot: true, Dot: dot, Count: count, Title: safe(say(env, name, zh)), Subtitle: safe(say(env, sub, subZh))})
	}
	top := Column(2,
		Pad(10, 0, 14, 11, Sentence("Parley", Style{Size: SizeTitle, Bold: true})),
		questions,
		item(IconPlay, "Requests", "请求"),
		Pad(14, 0, 4, 11, Sentence(say(env, "Servers", "服务器"), detailStyle)),
		server(DotOn, 2, "Travel desk", "旅行服务台", "mcp.travel.example", "mcp.travel.example"),
		server(DotOn, 0, "My files", "我的文件", "program on this computer", "本机程序"),
		server(DotOff, 0, "Demo", "演示", "built in", "内置"),
		NewSideItem(SideItemOptions{Env: env, Icon: IconPlus, Accent: true, Title: safe(say(env, "Add a server", "添加服务器"))}),
	)
	bottom := Column(2, item(IconHistory, "History", "历史"), item(IconSettings, "Settings", "设置"))
	side := Pad(12, 11, 12, 11, Frame(nil, bottom, nil, nil, top))
	edge := NewSurface(ColorLine, "", 0)
	edge.Min = fyne.NewSize(1, 1)
	back := NewSurface(ColorSidebar, "", 0)
	back.Min = fyne.NewSize(247, 1)
	return Frame(nil, nil, nil, edge, Stack(back, side))
}

func shotBanner(env *Env) fyne.CanvasObject {
	return NewBanner(BannerOptions{
		Env: env, Name: safe(say(env, "Travel desk", "旅行服务台")), Icon: IconLock,
		Origin: []Run{
			Own("https://mcp.", Style{}), Own("travel.example", Style{Bold: true}),
			Own(say(env, "  •  signed in as lin@travel.example", " • 已登录 lin@travel.example"), Style{}),
		},
		SelfName: safe("TravelBot 2.1"),
	})
}

func shotWhy(env *Env, runs ...Run) fyne.CanvasObject { return Pad(3, 4, 0, 4, NewText(runs...)) }

func muted(s string) Run     { return Own(s, Style{Color: ColorMuted}) }
func mutedBold(s string) Run { return Own(s, Style{Color: ColorMuted, Bold: true}) }
func hint(s string) []Run    { return []Run{Own(s, detailStyle)} }

func shotPage(env *Env, bar fyne.CanvasObject, parts ...fyne.CanvasObject) fyne.CanvasObject {
	env.Reveal = NewReveal(Pad(20, 28, 10, 28, Column(12, parts...)))
	return Stack(NewSurface("background", "", 0), Frame(nil, nil, shotSide(env), nil,
		Frame(nil, Pad(0, 28, 20, 28, bar), nil, nil, env.Reveal)))
}

var extras = []Option{{Label: safe("Breakfast")}, {Label: safe("Sea view")}, {Label: safe("Late check-out")}}
var extrasZh = []Option{{Label: safe("早餐")}, {Label: safe("海景")}, {Label: safe("延迟退房")}}

func shotFields(env *Env) *FormGrid {
	options, seats := extras, []Option{{Label: safe("Window")}, {Label: safe("Aisle")}}
	if env.tag() != "en" {
		options, seats = extrasZh, []Option{{Label: safe("靠窗")}, {Label: safe("靠过道")}}
	}
	row := func(en, zh string, required bool, control Control, h ...Run) *FieldRow {
		return NewFieldRow(FieldRowOptions{Env: env, Label: safe(say(env, en, zh)), Required: required, Control: control, Hint: h})
	}
	text := func(s string) Control { return NewTextEntry(TextEntryOptions{Env: env, Text: s}) }
	mail := row("E-mail", "电子邮件", true, text("lin@travel"))
	mail.SetError(say(env, "This is not a complete e-mail address, for example name@example.com.", "这不是完整的邮件地址，例如 name@example.com。"))
	list := row("Extras", "附加服务", false, NewChecklist(ChecklistOptions{Env: env, Options: options, Ticked: []int{0, 1}}))
	list.SetNote(say(env, "2 of at most 3", "已选 2 项，最多 3 项"))
	return NewFormGrid(env,
		row("Full name", "姓名", true, text("李小龙"), hint(say(env, "As in your passport  •  2 to 40 characters", "与护照一致 • 2 至 40 个字符"))...),
		mail,
		row("Departure", "出发日期", true, NewDateField(DateFieldOptions{Env: env, Text: "2026-06-15", Day: isoDay}), hint(say(env, "Monday 15 June 2026", "2026年6月15日 星期一"))...),
		row("Pick-up time", "接机时间", false, NewDateTimeField(DateTimeOptions{Env: env, Text: "2026-06-15 09:30", Zones: []Option{{Label: safe("Europe/Madrid +02:00")}}}), hint(say(env, "Sent with its time zone", "将连同时区一起发送"))...),
		row("Seat", "座位", false, NewPicker(PickerOptions{Env: env, Options: seats})),
		row("Travellers", "人数", false, NewLongEntry(TextEntryOptions{Env: env, Text: "2"}), hint(say(env, "Whole number, 1 to 9", "整数，1 至 9"))...),
		list,
		row("Travel insurance ($150)", "旅行保险（150 美元）", false, NewYesNo(YesNoOptions{Env: env})),
	)
}

func isoDay(s string) (int, time.Month, int, bool) {
	d, err := time.Parse(time.DateOnly, s)
	return d.Year(), d.Month(), d.Day(), err == nil
}

func shotForm(env *Env) fyne.CanvasObject {
	bar := ActionBar(
		[]fyne.CanvasObject{NewFold(env, say(env, "What will be sent", "将要发送的内容"), Sentence("{}", Style{Mono: true}), false, nil)},
		[]fyne.CanvasObject{
			NewButton(ButtonOptions{Env: env, Text: say(env, "Cancel", "取消"), Shortcut: "Esc"}),
			NewButton(ButtonOptions{Env: env, Text: say(env, "Decline", "拒绝")}),
			NewButton(ButtonOptions{Env: env, Text: say(env, "Submit", "提交"), Shortcut: "Ctrl ↵", Importance: Primary}),
		})
	return shotPage(env, bar, shotBanner(env),
		shotWhy(env, muted(say(env, "You started ", "你在 12 秒前发起了 ")), mutedBold(say(env, "Book a trip", "预订行程")), muted(say(env, " 12 seconds ago  •  round 2  •  question 1 of 2", " • 第 2 轮 • 第 1 个问题，共 2 个"))),
		ServerArea(say(env, "FROM THE SERVER", "以下内容来自服务器"), Column(14,
			Label(safe(say(env, "Please confirm your booking details for Barcelona.", "请确认你的巴塞罗那行程信息。")), Style{Size: SizeMessage}),
			shotFields(env))))
}

func shotURL(env *Env) fyne.CanvasObject {
	en := env.tag() == "en"
	segments := []Segment{{"https://accounts.google.com.", false}, {"evil.example", true}, {"/o/oauth2/v2/auth?client_id=7291&redirect_uri=https%3A%2F%2Fmcp.travel.example%2Fcb&scope=calendar.events&state=9f2c41", false}}
	if !en {
		segments = []Segment{{"https://connect.", false}, {"calendar.example", true}, {"/authorize?client_id=7291&scope=events&state=9f2c41", false}}
	}
	open := NewButton(ButtonOptions{Env: env, Text: say(env, "Open evil.example", "打开 calendar.example"), Importance: Primary})
	parts := []fyne.CanvasObject{shotBanner(env),
		shotWhy(env, muted(say(env, "You started ", "你在 4 秒前发起了 ")), mutedBold(say(env, "Link calendar", "关联日历")), muted(say(env, " 4 seconds ago  •  it asks you to open a page in your browser", " • 它请你在浏览器中打开一个页面"))),
		ServerArea(say(env, "FROM THE SERVER", "以下内容来自服务器"),
			Label(safe(say(env, "Please sign in so that we can add the trip to your calendar.", "请登录，以便我们把行程加入你的日历。")), Style{Size: SizeMessage})),
		NewURLView(segments)}
	if en {
		open.Disable()
		parts = append(parts,
			NewNotice(Danger, "It begins with accounts.google.com, but the site is evil.example.", "Pages like this are used to steal passwords. Open it only if you know evil.example and expected this."),
			NewNotice(Info, "", "evil.example is not the site of this server (travel.example). You have never opened it from here."),
			NewCheck(env, "I know evil.example and expected this page", false, nil))
	} else {
		parts = append(parts, NewNotice(Info, "", "calendar.example 不是这个服务器的网站（travel.example）。连接第三方服务时这很常见。"))
	}
	parts = append(parts, shotWhy(env, muted(say(env, "Nothing has been opened or loaded. What you do on the page stays between you and that site; Parley does not see it.", "尚未打开或加载任何内容。你在该页面上的操作只在你与该网站之间，Parley 无法看到。"))))
	bar := ActionBar(
		[]fyne.CanvasObject{NewButton(ButtonOptions{Env: env, Text: say(env, "Copy link", "复制链接")})},
		[]fyne.CanvasObject{
			NewButton(ButtonOptions{Env: env, Text: say(env, "Cancel", "取消"), Shortcut: "Esc"}),
			NewButton(ButtonOptions{Env: env, Text: say(env, "Decline", "拒绝")}), open,
		})
	return shotPage(env, bar, parts...)
}

func shotPicker(env *Env) fyne.CanvasObject {
	page := shotForm(env)
	options := make([]Option, 0, 30)
	for _, c := range []string{"Spain", "Portugal", "France", "Italy", "Greece", "", "Croatia", "Slovenia", "Austria", "Germany", "Poland", "Denmark", "Sweden", "Norway", "An option whose label is so long that it cannot be on one line of this list, however wide a person makes the window"} {
		options = append(options, Option{Label: safe(c), Detail: safe(say(env, "Europe", ""))})
	}
	picker := NewPicker(PickerOptions{Env: env, Options: options, Selected: 3, Clearable: true})
	env.Reveal.content.(*fyne.Container).Objects[0].(*fyne.Container).Add(NewFormGrid(env, NewFieldRow(FieldRowOptions{Env: env, Label: safe("Country"), Control: picker})))
	shotAfter = func() {
		shotWindow.Canvas().Focus(picker)
		picker.open("")
	}
	return page
}

func shotCalendar(env *Env) fyne.CanvasObject {
	page := shotForm(env)
	shotAfter = func() {
		for _, o := range test.LaidOutObjects(page) {
			if d, ok := o.(*DateField); ok {
				shotWindow.Canvas().Focus(d.entry)
				d.open()
				return
			}
		}
	}
	return page
}

func shotParts(env *Env) fyne.CanvasObject {
	long := ""
	for range 60 {
		long += say(env, "A server may send a message of any length, with long words such as Donaudampfschifffahrtsgesellschaftskapitän, and it wraps. ", "服务器可以发送任意长度的消息，包括很长的单词（Donaudampfschifffahrtsgesellschaft），文字都会自动换行；标点不会出现在行首。")
	}
	many := make([]Option, 40)
	for i := range many {
		many[i].Label = safe(say(env, "Option ", "选项 ") + string(rune('A'+i%26)))
	}
	return shotPage(env, ActionBar(nil, []fyne.CanvasObject{
		NewButton(ButtonOptions{Env: env, Text: say(env, "Delete", "删除"), Importance: Grave}),
		NewButton(ButtonOptions{Env: env, Text: say(env, "Copy", "复制"), Icon: IconCopy}),
	}),
		NewNotice(Caution, say(env, "The page is not encrypted.", "该页面未加密。"), say(env, "Anybody on the way can read it.", "途中的任何人都能看到内容。")),
		NewNotice(Block, say(env, "This cannot be opened.", "无法打开。"), say(env, "javascript: is not a web address.", "javascript: 不是网址。")),
		RowTop(20, 0, NewLongText(safe(long), LongTextOptions{Env: env, Lines: 6, OnCopy: func(*Button) {}}),
			Column(8, Pad(0, 300, 0, 0, Spacer(0, 0)), NewChecklist(ChecklistOptions{Env: env, Options: many, Ticked: []int{1, 2}}))),
		NewText(Own("陈致逸 日本語 カタカナ 한국어 Ω Ж ", Style{}), Own("bold 粗体 굵게 ", Style{Bold: true}), Own("mono 等宽 iiiWWW ", Style{Mono: true}), Own("mono bold iiiWWW", Style{Mono: true, Bold: true})),
		RowFill(10, 0, Row(10, NewDot(DotOn), NewDot(DotOff), NewDot(DotBusy), NewDot(DotTrouble), NewBadge(7), NewBadge(120), NewIcon(IconUnlock, ColorCaution, 18), NewIcon(IconComputer, "", 18), NewIcon(IconSearch, "", 18), NewIcon(IconSettings, "", 18)), Spacer(1, 1)),
		NewTextEntry(TextEntryOptions{Env: env, Text: say(env, "several\nlines", "多行\n文字"), Lines: 3}),
		NewTextEntry(TextEntryOptions{Env: env, Text: "secret", Masked: true}),
	)
}
